// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Screens

/// The screen of the list of servers, rendered from its state.
struct ServerPickerScreen {
    /// The lines above the servers.
    static let headLines = 2
    /// The lines below the servers.
    private static let footLines = 2

    private let state: ServerPickerState

    init(_ state: ServerPickerState) {
        self.state = state
    }

    /// The number of servers that fit.
    static func rows(_ size: ScreenSize) -> Int { max(0, size.lines - headLines - footLines) }

    /// The lines of the screen, exactly as many as it has.
    var lines: [ScreenLine] {
        let columns = ServerColumns(state.size)
        let servers = state.list.visible(Self.rows(state.size)).map { server in
            columns.row(of: server, isChosen: server.id == state.list.chosen?.id, isFaint: state.link != .live)
        }
        let body = servers.isEmpty ? [line { $0.put(emptiness, at: 2, .faint) }] : servers
        let title = ScreenLine(state.size, title: "Servers", state.link)
        return state.size.filled([title, columns.headings] + body, foot: [question, keys])
    }

    private func line(_ draw: (inout ScreenLine) -> Void) -> ScreenLine { ScreenLine(state.size, draw) }

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
        return line {
            $0.put(prompt, at: 0, .faint)
            $0.put(state.line, at: prompt.utf8.count, state.size)
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
