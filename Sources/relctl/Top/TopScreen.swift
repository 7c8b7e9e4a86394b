// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The screen of `relctl top`, drawn from what it knows.
struct TopScreen {
    let state: TopState
    let layout: TopLayout

    init(_ state: TopState) {
        self.state = state
        layout = TopLayout(state.size)
    }

    /// As many as the screen has.
    var lines: [TopLine] {
        var lines = [title] + (state.mode == .help ? help : list + pane)
        lines = Array(lines.prefix(state.size.lines - 1))
        while lines.count < state.size.lines - 1 { lines.append(line { _ in }) }
        return lines + [keys]
    }

    func line(_ draw: (inout TopLine) -> Void) -> TopLine {
        var line = TopLine(columns: state.size.columns)
        draw(&line)
        return line
    }

    private var title: TopLine {
        line {
            $0.put("relctl top", at: 0, .title)
            switch state.link {
            case .connecting: $0.put("asking the daemon", at: 12, .faint)
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

    private var help: [TopLine] {
        [
            ("up down j k", "choose a server; Page up and down, Home, End, g and G too"),
            ("/", "show only servers with these letters in name, URL or state"),
            ("Escape", "show all of them again"),
            ("a", "show hidden servers too, or no more"),
            ("Tab", "below the list: events, adapters, or the chosen server"),
            ("p", "probe: look now whether it is alive"),
            ("i", "pin: see who it is, and agree to it"),
            ("l", "log in: add a login, or try the one that is there"),
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

    private var keys: TopLine {
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
