// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Screens
import TestSupport

@testable import relctl

/// A view that receives a daemon's replies and typed keys.
struct TopFixture {
    var state: TopState
    /// The wall-clock time.
    var time = "12:00:00"

    init(columns: Int = 80, lines: Int = 24) {
        state = TopState(size: ScreenSize(columns: columns, lines: lines))
    }

    static func adapter(_ id: String, of endpoint: String?, login: String?, own: Bool = false) -> BrokerAPI.Adapter {
        var adapter = BrokerAPI.Adapter(
            id: id,
            form: "socket",
            url: "http+unix://s/bin",
            held: false,
            ownSession: own,
            otherDatabase: false,
            configured: false,
            created: 0
        )
        (adapter.endpoint, adapter.endpointName, adapter.login) = (endpoint, endpoint, login)
        return adapter
    }

    @discardableResult
    mutating func handle(_ event: TopEvent) -> [TopAction] { state.handle(event, at: time) }

    mutating func snapshot(_ endpoints: [RegistryAPI.Endpoint], revision: Int64 = 1) {
        let all = endpoints.map { JSONValue.object($0.json) }
        handle(
            .reply(
                .watch(since: nil),
                ["kind": "snapshot", "revision": .integer(revision), "endpoints": .array(all)]
            )
        )
    }

    mutating func change(_ kind: String, _ endpoint: RegistryAPI.Endpoint, revision: Int64 = 2) {
        let news: JSONObject = [
            "kind": .string(kind), "revision": .integer(revision), "endpoint": .object(endpoint.json),
        ]
        handle(.reply(.watch(since: nil), news))
    }

    mutating func adapters(_ adapters: [BrokerAPI.Adapter]) {
        let all = adapters.map { JSONValue.object($0.json) }
        handle(.reply(.watchAdapters, ["kind": "snapshot", "adapters": .array(all)]))
    }

    /// - Returns: the actions of the last key.
    @discardableResult
    mutating func type(_ text: String) -> [TopAction] {
        var actions: [TopAction] = []
        for letter in text.unicodeScalars { actions = handle(.key(.text(letter))) }
        return actions
    }

    /// Label and text of each note.
    var notes: [String] { state.notes.all.map { "\($0.word) \($0.text)" } }

    /// The screen as letters, without trailing blanks.
    var screen: [String] {
        var painter = ScreenPainter(hasColours: true)
        var terminal = TerminalModel(columns: state.size.columns, lines: state.size.lines)
        terminal.write(painter.update(to: TopScreen(state).lines))
        return terminal.text
    }
}
