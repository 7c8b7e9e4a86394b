// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Screens
import TestSupport
import Testing

@testable import relctl

@Suite("Events and keys of relctl top")
struct TopStateTests {
    private func endpoints(_ count: Int) -> [RegistryAPI.Endpoint] {
        (0..<count).map { RegistryAPI.Endpoint.example("id\($0)", "server \($0 + 1_000)") }
    }

    @Test("it watches servers and adapters, and after an interruption resumes both once")
    func resuming() {
        var top = TopFixture()
        #expect(top.state.start() == [.call(.watch(since: nil)), .call(.watchAdapters)])
        top.snapshot(endpoints(2), revision: 7)
        #expect(top.state.link == .live)
        #expect(top.handle(.failed(.watchAdapters, message: "closed", hint: nil)) == [.pause(TopState.pause)])
        #expect(top.handle(.failed(.watch(since: nil), message: "closed", hint: nil)).isEmpty)
        #expect(top.state.link == .away("closed"))
        #expect(top.handle(.pauseOver) == [.call(.watch(since: 7)), .call(.watchAdapters)])
        // It is still absent, so there is no new event.
        #expect(top.handle(.failed(.watch(since: 7), message: "closed", hint: nil)) == [.pause(TopState.pause)])
        #expect(top.notes == ["watching 2 servers", "away closed"])
        _ = top.handle(.pauseOver)
        top.handle(.reply(.watch(since: 7), ["kind": "resumed", "revision": 7]))
        #expect(top.state.link == .live)
        #expect(top.notes.last == "back the daemon answers again")
    }

    @Test("a second snapshot yields only the differences")
    func comparing() {
        var top = TopFixture()
        top.snapshot([
            RegistryAPI.Endpoint.example("a"), RegistryAPI.Endpoint.example("b"), RegistryAPI.Endpoint.example("c"),
        ])
        top.snapshot([
            RegistryAPI.Endpoint.example("a"), RegistryAPI.Endpoint.example("b", nil, .reachable),
            RegistryAPI.Endpoint.example("d"),
        ])
        #expect(
            top.notes == [
                "watching 3 servers", "removed c", "reachable b", "added d  announced  http://10.0.0.1:7099/bin",
            ]
        )
    }

    @Test("keys act on the selected server, and no action runs twice at a time")
    func commands() {
        var top = TopFixture()
        #expect(top.type("pohil").isEmpty, "there is none")
        top.snapshot([RegistryAPI.Endpoint.example("a"), RegistryAPI.Endpoint.example("b", nil, .conflict)])
        #expect(top.type("p") == [.call(.probe("a"))])
        #expect(top.type("p").isEmpty)
        #expect(top.state.progress(of: "a") == "probing")
        #expect(top.type("i") == [.ask(.pin("a"))])
        #expect(top.type("ji") == [.ask(.repin("b"))])
        #expect(top.type("l") == [.ask(.logIn("b"))])
        #expect(top.type("o") == [.call(.openAdapter("b"))])
        #expect(top.type("h") == [.call(.setHidden("b", true))])
        #expect(top.type("q") == [.end])
        top.handle(
            .reply(
                .probe("a"),
                ["probe": ["outcome": "unreachable", "reason": ["code": "noAnswer"], "milliseconds": 3]]
            )
        )
        #expect(top.notes.last == "probe a  unreachable, 3 ms  no answer in time")
        top.handle(.failed(.openAdapter("b"), message: "the vault is locked", hint: "relctl vault unlock"))
        #expect(top.notes.suffix(2) == ["failed b  the vault is locked", "try relctl vault unlock"])
        #expect(top.type("kp") == [.call(.probe("a"))])
    }

    @Test("the selection stays with its server, or moves to the one in its place")
    func choice() {
        var top = TopFixture()
        top.snapshot(endpoints(5))
        top.type("jj")
        #expect(top.state.list.chosen?.id == "id2")
        top.change("added", RegistryAPI.Endpoint.example("x", "a server"))
        top.change("changed", RegistryAPI.Endpoint.example("id2", "zuletzt"))
        #expect(top.state.list.chosenRow == 5)
        top.change("removed", RegistryAPI.Endpoint.example("id2", "zuletzt"))
        #expect(top.state.list.chosen?.id == "id4")
        top.change("changed", RegistryAPI.Endpoint.example("id4", "server 1004", hidden: true))
        #expect(top.state.list.chosen?.id == "id3")
        top.type("a")
        #expect(top.state.list.count == 5)
        top.snapshot([])
        #expect(top.state.list.chosen == nil)
        top.type("jk")
    }

    @Test("a filter is typed, kept and cleared")
    func filter() {
        var top = TopFixture()
        top.snapshot([RegistryAPI.Endpoint.example("a", "Büro"), RegistryAPI.Endpoint.example("b", "home", .reachable)])
        top.type("/BÜX")
        #expect(top.state.list.count == 0)
        top.handle(.key(.backspace))
        #expect(top.state.list.count == 1)
        #expect(top.handle(.key(.enter)).isEmpty)
        #expect(top.type("p") == [.call(.probe("a"))])
        top.handle(.key(.escape))
        #expect(top.state.list.count == 2)
        top.type("/reach")
        #expect(top.state.list.chosen?.id == "b")
        top.handle(.key(.escape))
        top.type("/" + String(repeating: "x", count: 1_000))
        #expect(top.state.list.filter.count == 60)
        for _ in 0..<100 { top.handle(.key(.backspace)) }
        #expect(top.state.list.count == 2)
    }

    @Test("a thousand servers scroll with the selection, at any size")
    func scrolling() {
        var top = TopFixture()
        top.snapshot(endpoints(1_000))
        top.handle(.key(.end))
        #expect(top.state.list.chosenRow == 999 && top.screen.contains { $0.hasPrefix("> server 1999") })
        top.handle(.key(.pageUp))
        #expect(top.screen.contains { $0.hasPrefix("> ") })
        top.handle(.resized(ScreenSize(columns: 40, lines: 10)))
        #expect(top.screen.contains { $0.hasPrefix("> ") })
        top.handle(.key(.home))
        #expect(top.screen[2].hasPrefix("> server 1000"))
        top.handle(.resized(ScreenSize(columns: 200, lines: 60)))
        for _ in 0..<500 { top.type("j") }
        #expect(top.screen.contains { $0.hasPrefix("> server 1500") })
        top.type("/server 1999")
        #expect(top.screen[2].hasPrefix("> server 1999"))
    }

    @Test("sessions are counted by login, and those of an adapter's own")
    func sessions() {
        var top = TopFixture()
        top.adapters([
            TopFixture.adapter("1", of: "a", login: "x"), TopFixture.adapter("2", of: "a", login: "x"),
            TopFixture.adapter("3", of: "a", login: "x", own: true), TopFixture.adapter("4", of: "b", login: nil),
            TopFixture.adapter("5", of: nil, login: "y"),
        ])
        #expect(top.state.adapters.use == ["a": .init(sessions: 2, adapters: 3), "b": .init(sessions: 0, adapters: 1)])
    }

    @Test("a reply of another version counts as a missing daemon instead of ending the view")
    func foreignAnswer() {
        var top = TopFixture()
        #expect(top.handle(.reply(.watch(since: nil), ["kind": 7])) == [.pause(TopState.pause)])
        #expect(top.notes.first?.hasPrefix("away the daemon's reply does not fit this version") == true)
    }
}
