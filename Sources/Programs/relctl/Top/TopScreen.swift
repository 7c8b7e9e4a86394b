// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Screens

/// The screen of `relctl top`, rendered from its state.
struct TopScreen {
    let state: TopState
    let layout: TopLayout

    init(_ state: TopState) {
        self.state = state
        layout = TopLayout(state.size)
    }

    /// The lines of the screen, exactly as many as it has.
    var lines: [ScreenLine] {
        var lines = [title] + (state.mode == .help ? help : list + pane)
        lines = Array(lines.prefix(state.size.lines - 1))
        while lines.count < state.size.lines - 1 { lines.append(line { _ in }) }
        return lines + [keys]
    }

    func line(_ draw: (inout ScreenLine) -> Void) -> ScreenLine {
        var line = ScreenLine(columns: state.size.columns)
        draw(&line)
        return line
    }

    private var title: ScreenLine {
        line {
            $0.put("relctl top", at: 0, .title)
            switch state.link {
            case .connecting: $0.put("waiting for the daemon", at: 12, .faint)
            case .live: $0.put(figures, at: 12)
            case .away(let reason): $0.put(Printable(again: "daemon away: \(reason)"), at: 12, .warning)
            }
        }
    }

    private var figures: String {
        func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        let sessions = state.adapters.use.values.reduce(0) { $0 + $1.sessions }
        let figures = [
            count(state.list.count, "server"),
            state.list.showsHidden || state.list.hiddenCount == 0 ? nil : "\(state.list.hiddenCount) hidden",
            count(sessions, "session"),
            count(state.adapters.all.count, "adapter"),
        ]
        return figures.compactMap { $0 }.joined(separator: ", ")
    }

    private var help: [ScreenLine] {
        [
            ("up down j k", "choose a server; Page up and down, Home, End, g and G too"),
            ("/", "show only servers with this text in name, URL or state"),
            ("Escape", "show all of them again"),
            ("a", "show or leave out hidden servers"),
            ("Tab", "below the list: events, adapters, or the chosen server"),
            ("p", "probe: check whether it answers now"),
            ("i", "pin: show its identity, and confirm it"),
            ("l", "log in: add a login, or test the stored one"),
            ("o", "open an adapter"),
            ("h", "hide it, or show it again"),
            ("q", "quit"),
        ].map { keys, meaning in
            line {
                $0.put(keys, at: 2, width: 13, .title)
                $0.put(meaning, at: 16)
            }
        }
    }

    private var keys: ScreenLine {
        line {
            switch state.mode {
            case .browsing:
                $0.fill("q quit  ? help  / filter  Tab pane  p probe  i pin  l log in  o open  h hide", .chosen)
            case .filtering: $0.put("/\(state.list.filter)_", at: 0)
            case .help: $0.fill("any key: back to the list", .chosen)
            }
        }
    }
}

extension TopScreen {
    /// The first columns of the list's fields.
    struct Places {
        let state: Int
        let url: Int
        /// Nil if the screen is too narrow. The adapters field begins 9 columns to the right.
        let sessions: Int?

        init(_ layout: TopLayout) {
            state = 2 + layout.nameColumns + 1
            sessions = layout.showsUse ? state + 12 : nil
            url = state + (layout.showsUse ? 30 : 12)
        }
    }

    var places: Places { Places(layout) }

    /// The headings and the visible lines of the list.
    var list: [ScreenLine] {
        let use = state.adapters.use
        let rows = state.list.visible(layout.listLines)
        var lines = [headings] + rows.map { row(of: $0, use[$0.id]) }
        if rows.isEmpty { lines.append(line { $0.put(emptiness, at: 2, .faint) }) }
        while lines.count < layout.listLines + 1 { lines.append(line { _ in }) }
        return lines
    }

    private var headings: ScreenLine {
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
        if !state.list.filter.isEmpty { return "no server matches '\(state.list.filter)': Escape clears the filter" }
        if state.list.hiddenCount > 0 { return "only hidden servers: press a to show them" }
        return "no servers: 'relctl doctor' finds the cause, 'relctl add NAME ADDRESS' adds one"
    }

    private func row(of endpoint: RegistryAPI.Endpoint, _ use: TopAdapters.Use?) -> ScreenLine {
        let isChosen = endpoint.id == state.list.chosen?.id
        let isFaint = state.link != .live || endpoint.hidden
        let style: ScreenStyle = isChosen ? .chosen : isFaint ? .faint : .plain
        let progress = state.progress(of: endpoint.id)
        let isCalm = style != .plain || progress != nil
        return line {
            if isChosen { $0.fill(">", .chosen) }
            $0.put(endpoint.name, at: 2, width: layout.nameColumns, style)
            $0.put(
                progress ?? endpoint.state.rawValue,
                at: places.state,
                width: 11,
                isCalm ? style : ScreenStyle(endpoint.tone)
            )
            if let use, let column = places.sessions {
                $0.put("\(use.sessions)", at: column, width: 8, style)
                $0.put("\(use.adapters)", at: column + 9, width: 8, style)
            }
            $0.put(endpoint.url, at: places.url, style)
        }
    }
}

extension ScreenStyle {
    init(_ tone: TopNote.Tone) {
        switch tone {
        case .plain: self = .plain
        case .good: self = .good
        case .bad: self = .bad
        case .warning: self = .warning
        }
    }
}

extension TopScreen {
    /// The title of the pane and the lines that fit.
    var pane: [ScreenLine] {
        let count = layout.paneLines
        guard count > 0 else { return [] }
        switch state.pane {
        case .events: return [heading("events")] + state.notes.all.suffix(count).map { line(for: $0) }
        case .adapters: return [heading("adapters")] + state.adapters.all.suffix(count).map { line(for: $0) }
        case .server: return [heading("the chosen server")] + facts.prefix(count).map { line(for: $0) }
        }
    }

    private func heading(_ text: String) -> ScreenLine {
        line {
            $0.fill(
                "-- \(text) " + String(repeating: "-", count: max(0, state.size.columns - text.utf8.count - 4)),
                .faint
            )
        }
    }

    private func line(for note: TopNote) -> ScreenLine {
        line {
            $0.put(note.time, at: 0, .faint)
            $0.put(note.word, at: 9, width: 11, ScreenStyle(note.tone))
            $0.put(note.text, at: 21)
        }
    }

    private func line(for adapter: BrokerAPI.Adapter) -> ScreenLine {
        // The address has the most space, because users copy it from here.
        let width = max(8, (state.size.columns - 52) / 2)
        return line {
            $0.put(adapter.endpointName ?? "-", at: 2, width: width - 1)
            $0.put(adapter.login ?? "-", at: 2 + width, width: width - 1)
            $0.put(adapter.socketPath ?? adapter.url, at: 2 + 2 * width)
        }
    }

    private func line(for fact: (label: String, value: any Fact)) -> ScreenLine {
        line {
            $0.put(fact.label, at: 2, width: 10, .faint)
            $0.put(Printable(again: fact.value.shown), at: 13)
        }
    }

    /// The facts of the chosen server, the most important first: a small screen cuts the rest.
    private var facts: [(label: String, value: any Fact)] {
        guard let server = state.list.chosen else { return [] }
        func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : texts.joined(separator: ", ") }
        let reason = server.stateReason.map { Printable(again: "\(server.state.rawValue): \($0.text)") }
        let facts: [(String, (any Fact)?)] = [
            ("state", reason ?? Printable(server.state.rawValue)),
            ("id", server.id),
            ("URL", server.url),
            ("announced", server.announcedUrl),
            ("origin", server.origin.rawValue + (server.hidden ? ", hidden" : "")),
            ("addresses", list(server.addresses)),
            ("host", server.host),
            ("sources", list(server.sources)),
            ("services", "\(server.dataService), \(server.loginService)"),
            ("probes", server.probe.rawValue),
            ("TXT", list(server.txt)),
        ]
        return facts.compactMap { label, value in value.map { (label, $0) } }
    }
}

/// The division of the screen: a title, the list with its headings, a pane with a title, and the keys.
struct TopLayout {
    private static let widestName = 40

    let listLines: Int
    /// The lines of the pane without its title; 0 if the pane does not fit.
    let paneLines: Int
    let nameColumns: Int
    let showsUse: Bool

    init(_ size: ScreenSize) {
        // Without title, headings and keys.
        let rest = max(0, size.lines - 3)
        let pane = rest >= 5 ? min(12, (rest - 1) / 3) : 0
        paneLines = pane
        listLines = pane > 0 ? rest - 1 - pane : rest
        nameColumns = min(Self.widestName, max(10, size.columns * 28 / 100))
        showsUse = size.columns >= 70
    }
}
