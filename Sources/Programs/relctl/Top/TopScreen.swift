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
        let title = ScreenLine(state.size, title: "relctl top", state.link, figures)
        return state.size.filled([title] + (state.mode == .help ? help : list + pane), foot: [keys])
    }

    private func line(_ draw: (inout ScreenLine) -> Void) -> ScreenLine { ScreenLine(state.size, draw) }

    private var figures: String {
        let sessions = state.adapters.use.values.reduce(0) { $0 + $1.sessions }
        let figures = [
            "\(Counted(state.list.count, "server"))",
            state.list.showsHidden || state.list.hiddenCount == 0 ? nil : "\(state.list.hiddenCount) hidden",
            "\(Counted(sessions, "session"))",
            "\(Counted(state.adapters.all.count, "adapter"))",
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
    private var columns: ServerColumns { ServerColumns(state.size, showsUse: layout.showsUse) }

    /// The headings and the visible lines of the list.
    var list: [ScreenLine] {
        let use = state.adapters.use
        var lines = [columns.headings]
        lines += state.list.visible(layout.listLines).map { server in
            columns.row(
                of: server,
                isChosen: server.id == state.list.chosen?.id,
                isFaint: state.link != .live || server.hidden,
                progress: state.progress(of: server.id),
                use[server.id]
            )
        }
        if lines.count == 1 { lines.append(line { $0.put(emptiness, at: 2, .faint) }) }
        while lines.count < layout.listLines + 1 { lines.append(line { _ in }) }
        return lines
    }

    private var emptiness: String {
        if state.link != .live { return "" }
        if !state.list.filter.isEmpty { return "no server matches '\(state.list.filter)': Escape clears the filter" }
        if state.list.hiddenCount > 0 { return "only hidden servers: press a to show them" }
        return "no servers: 'relctl doctor' finds the cause, 'relctl add NAME ADDRESS' adds one"
    }
}

extension ScreenLine {
    /// Creates the title of a screen with servers: its name, then the state of the connection, or figures while it is live.
    init(_ size: ScreenSize, title: String, _ link: TopState.Link, _ figures: String = "") {
        self.init(size)
        let place = title.utf8.count + 2
        put(title, at: 0, .title)
        switch link {
        case .connecting: put("waiting for the daemon", at: place, .faint)
        case .live: put(figures, at: place)
        case .away(let reason): put(Printable(again: "daemon away: \(reason)"), at: place, .warning)
        }
    }
}

/// The columns of a list of servers.
struct ServerColumns {
    private static let widestName = 40

    private let size: ScreenSize
    private let nameWidth: Int
    private let state: Int
    private let url: Int
    /// Nil to leave out the use. The adapters field begins 9 columns to the right.
    private let sessions: Int?

    init(_ size: ScreenSize, showsUse: Bool = false) {
        self.size = size
        nameWidth = min(Self.widestName, max(10, size.columns * 28 / 100))
        state = 2 + nameWidth + 1
        sessions = showsUse ? state + 12 : nil
        url = state + (showsUse ? 30 : 12)
    }

    var headings: ScreenLine {
        ScreenLine(size) {
            $0.put("NAME", at: 2, .title)
            $0.put("STATE", at: state, .title)
            if let sessions {
                $0.put("SESSIONS", at: sessions, .title)
                $0.put("ADAPTERS", at: sessions + 9, .title)
            }
            $0.put("URL", at: url, .title)
        }
    }

    /// - Parameters:
    ///   - isFaint: whether the record may be outdated, or is hidden elsewhere.
    ///   - progress: the running call about the server, shown in place of its state.
    func row(
        of server: RegistryAPI.Endpoint,
        isChosen: Bool,
        isFaint: Bool,
        progress: String? = nil,
        _ use: TopAdapters.Use? = nil
    ) -> ScreenLine {
        let style: ScreenStyle = isChosen ? .chosen : isFaint ? .faint : .plain
        let isCalm = style != .plain || progress != nil
        return ScreenLine(size) {
            if isChosen { $0.fill(">", .chosen) }
            $0.put(server.name, at: 2, width: nameWidth, style)
            let stateStyle = isCalm ? style : server.style
            $0.put(progress ?? server.state.rawValue, at: state, width: 11, stateStyle)
            if let use, let sessions {
                $0.put("\(use.sessions)", at: sessions, width: 8, style)
                $0.put("\(use.adapters)", at: sessions + 9, width: 8, style)
            }
            $0.put(server.url, at: url, style)
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
            $0.put(note.word, at: 9, width: 11, note.style)
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
    let listLines: Int
    /// The lines of the pane without its title; 0 if the pane does not fit.
    let paneLines: Int
    let showsUse: Bool

    init(_ size: ScreenSize) {
        // Without title, headings and keys.
        let rest = max(0, size.lines - 3)
        let pane = rest >= 5 ? min(12, (rest - 1) / 3) : 0
        paneLines = pane
        listLines = pane > 0 ? rest - 1 - pane : rest
        showsUse = size.columns >= 70
    }
}
