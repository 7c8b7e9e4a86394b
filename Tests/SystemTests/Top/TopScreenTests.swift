// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Screens
import TestSupport
import Testing

@testable import relctl

@Suite("The screen of relctl top")
struct TopScreenTests {
    private static let sizes = [(80, 24), (40, 10), (200, 60), (20, 6), (3, 2), (1, 1)]

    /// A view with every kind of content.
    private func busy(_ columns: Int, _ lines: Int) -> TopFixture {
        var top = TopFixture(columns: columns, lines: lines)
        top.snapshot([
            RegistryAPI.Endpoint.example("a", "office", .reachable),
            RegistryAPI.Endpoint.example("b", "Büro 漢字", .conflict),
            RegistryAPI.Endpoint.example("c", "hidden", hidden: true),
        ])
        top.adapters([TopFixture.adapter("1", of: "a", login: "x")])
        return top
    }

    @Test("at 80x24 it has the list, its columns and the events")
    func usual() {
        #expect(
            busy(80, 24).screen == [
                "relctl top  2 servers, 1 hidden, 1 session, 1 adapter",
                "  NAME                   STATE       SESSIONS ADAPTERS URL",
                "> Büro 漢字              conflict                      http://10.0.0.1:7099/bin",
                "  office                 reachable   1        1        http://10.0.0.1:7099/bin",
            ] + Array(repeating: "", count: 12) + [
                "-- events ----------------------------------------------------------------------",
                "12:00:00 watching    3 servers", "", "", "", "", "",
                "q quit  ? help  / filter  Tab pane  p probe  i pin  l log in  o open  h hide",
            ]
        )
    }

    @Test("at 40x10 it has the essential parts")
    func small() {
        let screen = busy(40, 10).screen
        #expect(screen[1] == "  NAME        STATE       URL")
        #expect(screen[2] == "> Büro 漢字   conflict    http://10.0.0…")
        #expect(screen[6] == "-- events ------------------------------")
        #expect(screen.count == 10 && screen[9].hasPrefix("q quit  ? help"))
    }

    @Test("README.md shows the actual screen")
    func readme() throws {
        var top = TopFixture(columns: 80, lines: 16)
        top.time = "14:02:11"
        top.snapshot([
            RegistryAPI.Endpoint.example("a", "accounts", .reachable, at: "10.0.0.7"),
            RegistryAPI.Endpoint.example("b", "office", .unknown, at: "10.0.0.150"),
            RegistryAPI.Endpoint.example("c", "sample server", .reachable, at: "10.0.0.21"),
            RegistryAPI.Endpoint.example("d", "warehouse", at: "10.0.0.9"),
            RegistryAPI.Endpoint.example("e", "old", hidden: true),
        ])
        top.type("jp")
        top.time = "14:02:39"
        var office = RegistryAPI.Endpoint.example("b", "office", .unreachable, at: "10.0.0.150")
        office.stateReason = .init(code: .connectError, detail: "no route to the host")
        top.change("changed", office)
        top.handle(
            .reply(
                .probe("b"),
                [
                    "probe": [
                        "outcome": "unreachable",
                        "reason": ["code": "connectError", "detail": "no route to the host"],
                        "milliseconds": 3_061,
                    ]
                ]
            )
        )
        top.time = "14:03:12"
        top.type("jo")
        var adapter = TopFixture.adapter("96dff811", of: "c", login: "simple")
        (adapter.endpointName, adapter.socketPath) = (
            "sample server", "/run/user/1000/relativityd/adapters/96dff811.sock"
        )
        top.handle(.reply(.watchAdapters, ["kind": "opened", "adapter": .object(adapter.json)]))
        top.handle(.reply(.openAdapter("c"), ["adapter": .object(adapter.json)]))
        let readme = TextFile.text(of: Sources.root + "/README.md")
        let screen = top.screen.joined(separator: "\n")
        #expect(readme.contains("```text\n\(screen)\n```\n"), "it shows:\n\(screen)")
    }

    @Test("for any input and size, nothing is written beyond the edge", arguments: sizes)
    func edges(columns: Int, lines: Int) {
        var random = SeededRandom(seed: UInt64(columns))
        var top = busy(columns, lines)
        var painter = ScreenPainter(hasColours: true)
        var terminal = TerminalModel(columns: columns, lines: lines)
        let keys: [Key] = [.tab, .up, .down, .pageUp, .pageDown, .home, .end, .escape, .enter, .backspace]
        let letters = Array("?/aphjkgGx漢".unicodeScalars).map { Key.text($0) }
        for _ in 0..<60 {
            if let key = (keys + letters).randomElement(using: &random) { top.handle(.key(key)) }
            terminal.write(painter.update(to: TopScreen(top.state).lines))
            // Only changes were written, and the result equals a completely new screen.
            #expect(terminal.text == top.screen && terminal.faults.isEmpty, "\(terminal.faults)")
        }
    }

    @Test("unchanged parts are not written again")
    func differences() {
        var top = busy(80, 24)
        var painter = ScreenPainter(hasColours: true)
        #expect(painter.update(to: TopScreen(top.state).lines).utf8.count > 500)
        #expect(painter.update(to: TopScreen(top.state).lines).isEmpty)
        top.change("changed", RegistryAPI.Endpoint.example("a", "office", .unreachable))
        let update = painter.update(to: TopScreen(top.state).lines)
        #expect(update.contains("unreachable") && !update.contains("Büro") && update.utf8.count < 400)
        painter.forget()
        #expect(painter.update(to: TopScreen(top.state).lines).contains("Büro"))
    }

    @Test("colours are omitted if they are not wanted")
    func colours() {
        var (plain, coloured) = (ScreenPainter(hasColours: false), ScreenPainter(hasColours: true))
        let lines = TopScreen(busy(80, 24).state).lines
        #expect(coloured.update(to: lines).contains("\u{1B}[32mreachable"))
        #expect(!plain.update(to: lines).contains(/\u{1B}\[[34]\dm/))
    }

    @Test("hostile names and reasons are escaped and stay in their columns")
    func hostile() {
        let pieces = [
            "\u{1B}[2J", "\u{1B}]0;x\u{07}", "\r", "\n", "\u{9B}31m", "\u{202E}", "\u{200B}", "a\u{301}\u{301}\u{301}",
            "\u{1F468}\u{200D}\u{1F469}", "漢字", "\\", "%s", "\u{FEFF}", String(repeating: "x", count: 300),
        ]
        var random = SeededRandom(seed: 9)
        for round in 0..<30 {
            var top = TopFixture()
            let name = (0..<6).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            var endpoint = RegistryAPI.Endpoint.example("a", name, .conflict)
            (endpoint.url, endpoint.txt) = (name, [name, name])
            endpoint.stateReason = .init(code: .connectError, detail: name)
            top.snapshot([RegistryAPI.Endpoint.example("a", name)])
            top.change("changed", endpoint)
            top.handle(.failed(.probe("a"), message: name, hint: name))
            top.adapters([TopFixture.adapter("1", of: name, login: name)])
            if round % 2 == 0 { top.handle(.failed(.watchAdapters, message: name, hint: nil)) }
            for _ in 0..<3 {
                var painter = ScreenPainter(hasColours: true)
                var terminal = TerminalModel(columns: 80, lines: 24)
                terminal.write(painter.update(to: TopScreen(top.state).lines))
                #expect(terminal.faults.isEmpty, "\(terminal.faults)")
                #expect(terminal.text[2].contains("conflict"))
                top.handle(.key(.tab))
            }
        }
    }
}
