// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Screens

/// The screen of the list of servers, rendered from its state.
struct ServerPickerScreen {
    /// The lines above the servers.
    static let headLines = 2
    /// The lines below the servers.
    private static let footLines = 2

    private let state: ServerPickerState
    private let layout: TopLayout

    init(_ state: ServerPickerState) {
        self.state = state
        layout = TopLayout(state.size)
    }

    /// The number of servers that fit.
    static func rows(_ size: ScreenSize) -> Int { max(0, size.lines - headLines - footLines) }

    /// The lines of the screen, exactly as many as it has.
    var lines: [ScreenLine] {
        let count = max(0, state.size.lines - Self.footLines)
        let servers = state.list.visible(Self.rows(state.size))
        var lines = [title, headings] + servers.map(row)
        if servers.isEmpty { lines.append(line { $0.put(emptiness, at: 2, .faint) }) }
        lines = Array(lines.prefix(count))
        while lines.count < count { lines.append(line { _ in }) }
        return Array((lines + [question, keys]).prefix(state.size.lines))
    }

    private func line(_ draw: (inout ScreenLine) -> Void) -> ScreenLine {
        var line = ScreenLine(columns: state.size.columns)
        draw(&line)
        return line
    }

    private var title: ScreenLine {
        line {
            $0.put("Servers", at: 0, .title)
            if let failure = state.failure {
                $0.put(Printable(again: "daemon away: \(failure)"), at: 9, .warning)
            } else if state.revision == nil {
                $0.put("waiting for the daemon", at: 9, .faint)
            }
        }
    }

    /// The first column of the state. The URL begins 12 columns to the right.
    private var stateColumn: Int { layout.nameColumns + 3 }

    private var headings: ScreenLine {
        line {
            $0.put("NAME", at: 2, .title)
            $0.put("STATE", at: stateColumn, .title)
            $0.put("URL", at: stateColumn + 12, .title)
        }
    }

    private func row(_ server: RegistryAPI.Endpoint) -> ScreenLine {
        let isChosen = server.id == state.list.chosen?.id
        let style: ScreenStyle = isChosen ? .chosen : state.failure != nil ? .faint : .plain
        return line {
            if isChosen { $0.fill(">", .chosen) }
            $0.put(server.name, at: 2, width: layout.nameColumns, style)
            let stateStyle = style == .plain ? ScreenStyle(server.tone) : style
            $0.put(server.state.rawValue, at: stateColumn, width: 11, stateStyle)
            $0.put(server.url, at: stateColumn + 12, style)
        }
    }

    private var emptiness: String {
        if state.revision == nil { return "" }
        if !state.list.filter.isEmpty { return "no server matches '\(state.list.filter)'" }
        if state.list.hiddenCount > 0 { return "only hidden servers, which 'relctl top' shows" }
        return "no servers: + adds one; see 'relctl doctor'"
    }

    private var question: ScreenLine {
        let prompt =
            switch state.question {
            case .filter: "filter: "
            case .address: "host, host:port or URL: "
            case .name: "name: "
            }
        let column = prompt.utf8.count
        return line {
            $0.put(prompt, at: 0, .faint)
            let (text, cursor) = state.line.visible(in: max(2, state.size.columns - column))
            $0.put(Printable(again: text), at: column)
            let (letters, place) = (state.line.text, state.line.cursor)
            $0.put(place < letters.count ? String(letters[place]) : " ", at: column + cursor, .chosen)
        }
    }

    private var keys: ScreenLine {
        line {
            switch state.question {
            case .filter: $0.fill("Enter open  + add  Esc leave  or type a filter", .chosen)
            case .address: $0.fill("Enter next  Esc back to the list", .chosen)
            case .name: $0.fill("Enter add  Esc back to the list", .chosen)
            }
        }
    }
}
