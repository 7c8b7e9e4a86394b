// SPDX-License-Identifier: Apache-2.0

import LocalAPI

extension TopScreen {
    /// Where columns of the list begin.
    struct Places {
        let state: Int
        let url: Int
        /// Nil where there is no room for it; adapters follow 9 columns behind.
        let sessions: Int?

        init(_ layout: TopLayout) {
            state = 2 + layout.nameColumns + 1
            sessions = layout.showsUse ? state + 12 : nil
            url = state + (layout.showsUse ? 30 : 12)
        }
    }

    var places: Places { Places(layout) }

    /// The headings, and as many lines as there is room for.
    var list: [TopLine] {
        let use = state.adapters.use
        let rows = state.list.visible(layout.listLines)
        var lines = [headings] + rows.map { row(of: $0, use[$0.id]) }
        if rows.isEmpty { lines.append(line { $0.put(emptiness, at: 2, .faint) }) }
        while lines.count < layout.listLines + 1 { lines.append(line { _ in }) }
        return lines
    }

    private var headings: TopLine {
        line {
            $0.put("NAME", at: 2, .title)
            $0.put("STATE", at: places.state, .title)
            if let column = places.sessions {
                $0.put("SESSIONS", at: column, .title)
                $0.put("ADAPTERS", at: column + 9, .title)
            }
            $0.put("URL", at: places.url, .title)
        }
    }

    private var emptiness: String {
        if state.link != .live { return "" }
        if !state.list.filter.isEmpty { return "no server has '\(state.list.filter)': Escape ends the filter" }
        if state.list.hiddenCount > 0 { return "no servers but hidden ones: a shows them" }
        return "no servers: 'relctl doctor' says why, 'relctl add NAME ADDRESS' adds one"
    }

    private func row(of endpoint: RegistryAPI.Endpoint, _ use: TopAdapters.Use?) -> TopLine {
        let isChosen = endpoint.id == state.list.chosen?.id
        let isFaint = state.link != .live || endpoint.hidden
        let style: TopStyle = isChosen ? .chosen : isFaint ? .faint : .plain
        let progress = state.progress(of: endpoint.id)
        let isCalm = style != .plain || progress != nil
        return line {
            if isChosen { $0.fill(">", .chosen) }
            $0.put(endpoint.name, at: 2, width: layout.nameColumns, style)
            $0.put(
                progress ?? endpoint.state.rawValue,
                at: places.state,
                width: 11,
                isCalm ? style : TopStyle(endpoint.tone)
            )
            if let use, let column = places.sessions {
                $0.put("\(use.sessions)", at: column, width: 8, style)
                $0.put("\(use.adapters)", at: column + 9, width: 8, style)
            }
            $0.put(endpoint.url, at: places.url, style)
        }
    }
}

extension TopStyle {
    init(_ tone: TopNote.Tone) {
        switch tone {
        case .plain: self = .plain
        case .good: self = .good
        case .bad: self = .bad
        case .warning: self = .warning
        }
    }
}
