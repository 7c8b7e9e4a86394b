// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension TopScreen {
    /// Its title, and at most as many lines as there is room for.
    var pane: [TopLine] {
        let count = layout.paneLines
        guard count > 0 else { return [] }
        switch state.pane {
        case .events: return [heading("events")] + state.notes.all.suffix(count).map { line(for: $0) }
        case .adapters: return [heading("adapters")] + state.adapters.all.suffix(count).map { line(for: $0) }
        case .server: return [heading("the chosen server")] + facts.prefix(count).map { line(for: $0) }
        }
    }

    private func heading(_ text: String) -> TopLine {
        line {
            $0.fill(
                "-- \(text) " + String(repeating: "-", count: max(0, state.size.columns - text.utf8.count - 4)),
                .faint
            )
        }
    }

    private func line(for note: TopNote) -> TopLine {
        line {
            $0.put(note.time, at: 0, .faint)
            $0.put(note.word, at: 9, width: 11, TopStyle(note.tone))
            $0.put(note.text, at: 21)
        }
    }

    private func line(for adapter: BrokerAPI.Adapter) -> TopLine {
        // The address is what somebody wants to copy from here.
        let width = max(8, (state.size.columns - 52) / 2)
        return line {
            $0.put(adapter.endpointName ?? "-", at: 2, width: width - 1)
            $0.put(adapter.login ?? "-", at: 2 + width, width: width - 1)
            $0.put(adapter.socketPath ?? adapter.url, at: 2 + 2 * width)
        }
    }

    private func line(for fact: (label: String, value: any Fact)) -> TopLine {
        line {
            $0.put(fact.label, at: 2, width: 10, .faint)
            $0.put(fact.value, at: 13)
        }
    }

    /// What matters most first: a small screen has no more.
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
