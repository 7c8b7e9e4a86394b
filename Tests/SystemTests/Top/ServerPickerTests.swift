// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Screens
import TestSupport
import Testing

@testable import relctl

@Suite("The list of servers to choose from")
struct ServerPickerTests {
    /// A list that receives a daemon's replies and keys.
    private struct Fixture {
        var state: ServerPickerState

        init(columns: Int = 60, lines: Int = 9) {
            state = ServerPickerState(size: ScreenSize(columns: columns, lines: lines))
        }

        mutating func handle(_ event: TopEvent) -> [TopAction] { state.handle(event, at: "") }

        mutating func snapshot(_ endpoints: [RegistryAPI.Endpoint]) -> [TopAction] {
            let all = endpoints.map { JSONValue.object($0.json) }
            return handle(.reply(.watch(since: nil), ["kind": "snapshot", "revision": 7, "endpoints": .array(all)]))
        }

        mutating func change(_ kind: String, _ endpoint: RegistryAPI.Endpoint) {
            let news: JSONObject = ["kind": .string(kind), "revision": 8, "endpoint": .object(endpoint.json)]
            _ = handle(.reply(.watch(since: nil), news))
        }

        /// - Returns: the actions of the last key.
        @discardableResult
        mutating func press(_ keys: Key...) -> [TopAction] {
            keys.reduce([]) { handle(.key($1)) }
        }

        @discardableResult
        mutating func type(_ text: String) -> [TopAction] {
            text.unicodeScalars.reduce([]) { handle(.key(.text($1))) }
        }

        var terminal: TerminalModel {
            var painter = ScreenPainter(hasColours: true)
            var terminal = TerminalModel(columns: state.size.columns, lines: state.size.lines)
            terminal.write(painter.update(to: ServerPickerScreen(state).lines))
            return terminal
        }
    }

    private static let three = ["office", "shop", "store"].map { (name: String) in
        RegistryAPI.Endpoint.example("id-\(name)", name)
    }

    private func filled() -> Fixture {
        var picker = Fixture()
        _ = picker.snapshot(Self.three)
        return picker
    }

    @Test("keys choose and open a server, and Escape leaves")
    func choice() {
        let cases: [([Key], [TopAction])] = [
            ([.enter], [.open("id-office")]), ([.down, .enter], [.open("id-shop")]),
            ([.end, .enter], [.open("id-store")]), ([.down, .down, .up, .enter], [.open("id-shop")]),
            ([.wheelDown, .enter], [.open("id-store")]), ([.end, .wheelUp, .enter], [.open("id-office")]),
            ([.text("s"), .enter], [.open("id-shop")]), ([.text("s"), .text("t"), .enter], [.open("id-store")]),
            ([.text("x"), .text("x"), .enter], []), ([.text("x"), .backspace, .enter], [.open("id-office")]),
            ([.pasted("s"), .pasted("t"), .pasted("+"), .left, .delete, .enter], [.open("id-store")]),
            ([.text("x"), .control("u"), .enter], [.open("id-office")]),
            ([.escape], [.end]), ([.text("s"), .escape], [.end]), ([.control("c")], [.end]),
            ([.click(column: 5, line: 2)], [.open("id-office")]), ([.click(column: 59, line: 4)], [.open("id-store")]),
            ([.click(column: 5, line: 1)], []), ([.click(column: 5, line: 5)], []),
            ([.text("s"), .text("t"), .click(column: 0, line: 2)], [.open("id-store")]),
            ([.tab, .function(1), .control("d"), .control("z")], []),
        ]
        for (keys, actions) in cases {
            var picker = filled()
            #expect(keys.reduce([]) { picker.handle(.key($1)) } == actions, "\(keys)")
        }
    }

    @Test("a new server is asked for, and chosen when it is in the list")
    func adding() {
        for (address, name) in [
            ("10.0.0.9:8099", "10.0.0.9"), ("srv", "srv"), ("https://shop.example:443/bin", "shop.example"),
            ("http://[fe80::1]:80/bin", "fe80::1"), ("fe80::1", "fe80::1"), (" srv ", "srv"),
        ] {
            var picker = filled()
            picker.type("sh+\(address)")
            picker.press(.enter)
            let trimmed = address.split(separator: " ").joined()
            #expect(picker.state.question == .name(address: trimmed))
            #expect(picker.press(.enter) == [.add(name: name, address: trimmed)], "\(address)")
            #expect(picker.state.question == .filter && picker.state.list.count == 3)
        }
        var picker = filled()
        picker.press(.insert)
        picker.type("srv")
        picker.press(.enter, .control("u"))
        #expect(picker.press(.enter).isEmpty && picker.state.question == .name(address: "srv"), "it has no name")
        picker.type("zoo")
        #expect(picker.press(.enter) == [.add(name: "zoo", address: "srv")])
        picker.change("added", RegistryAPI.Endpoint.example("id-other", "another"))
        #expect(picker.state.list.chosen?.name == "office")
        picker.change("added", RegistryAPI.Endpoint.example("id-zoo", "zoo"))
        #expect(picker.press(.enter) == [.open("id-zoo")])
    }

    @Test("Escape, Ctrl-C and an empty address return from the questions to the list")
    func returning() {
        for keys in [[Key.escape], [.control("c")], [.enter], [.control("d")], [.text("x"), .enter, .escape]] {
            var picker = filled()
            picker.type("+")
            for key in keys { #expect(picker.press(key).isEmpty) }
            #expect(picker.press(.enter) == [.open("id-office")], "\(keys)")
        }
    }

    @Test("after an interruption the list is kept and followed again")
    func resuming() {
        var picker = Fixture()
        #expect(picker.state.start() == [.call(.watch(since: nil))])
        #expect(picker.handle(.failed(.watch(since: nil), message: "closed", hint: nil)) == [.pause(TopState.pause)])
        #expect(picker.handle(.pauseOver) == [.call(.watch(since: nil))])
        #expect(picker.snapshot(Self.three).isEmpty && picker.state.link == .live)
        #expect(picker.handle(.failed(.watch(since: nil), message: "closed", hint: nil)) == [.pause(TopState.pause)])
        #expect(picker.terminal.text[0] == "Servers  daemon away: closed" && picker.state.list.count == 3)
        #expect(picker.handle(.pauseOver) == [.call(.watch(since: 7))])
        #expect(picker.handle(.reply(.watch(since: nil), ["kind": 7])) == [.pause(TopState.pause)])
        picker.change("removed", Self.three[0])
        #expect(picker.press(.enter) == [.open("id-shop")] && picker.state.link == .live)
    }

    @Test("the screen")
    func screen() {
        var picker = filled()
        picker.change("changed", RegistryAPI.Endpoint.example("id-shop", "Büro 漢字", .reachable))
        picker.type("o")
        #expect(
            picker.terminal.text == [
                "Servers",
                "  NAME             STATE       URL",
                "  Büro 漢字        reachable   http://10.0.0.1:7099/bin",
                "> office           announced   http://10.0.0.1:7099/bin",
                "  store            announced   http://10.0.0.1:7099/bin",
                "", "",
                "filter: o",
                "Enter open  + add  Esc leave  or type a filter",
            ]
        )
        picker.type("x")
        #expect(picker.terminal.text[2] == "  no server matches 'ox'")
        picker.type("+sr")
        #expect(picker.terminal.text[7] == "host, host:port or URL: sr")
        picker.press(.enter)
        #expect(picker.terminal.text.suffix(2) == ["name: sr", "Enter add  Esc back to the list"])
        var empty = Fixture()
        #expect(empty.terminal.text[0] == "Servers  waiting for the daemon")
        _ = empty.snapshot([])
        #expect(empty.terminal.text[2] == "  no servers: + adds one; see 'relctl doctor'")
        _ = empty.snapshot([RegistryAPI.Endpoint.example("a", hidden: true)])
        #expect(empty.terminal.text[2] == "  only hidden servers, which 'relctl top' shows")
    }

    @Test(
        "no key and no name writes beyond the edge",
        arguments: [(80, 24), (40, 10), (200, 60), (20, 5), (9, 4), (3, 3), (2, 2), (1, 1)]
    )
    func edges(columns: Int, lines: Int) {
        var random = SeededRandom(seed: UInt64(columns))
        let names = [
            "\u{1B}[2J", "漢字漢字漢字漢字", "a\u{301}\u{301}\u{301}\u{301}b", "\u{202E}x", String(repeating: "y", count: 300),
        ]
        var picker = Fixture(columns: columns, lines: lines)
        _ = picker.snapshot(
            (0..<40).map { RegistryAPI.Endpoint.example("id\($0)", "\(names[$0 % names.count]) \($0)") }
        )
        let keys: [Key] = [
            .up, .down, .pageUp, .pageDown, .home, .end, .enter, .escape, .backspace, .delete, .left, .right, .insert,
            .wheelUp, .wheelDown, .click(column: 0, line: 3), .text("漢"), .text("\u{301}"), .text("y"), .text("1"),
            .pasted("\u{202E}"), .control("u"), .control("w"),
        ]
        for _ in 0..<150 {
            _ = keys.randomElement(using: &random).map { picker.press($0) }
            let terminal = picker.terminal
            #expect(terminal.faults.isEmpty && ServerPickerScreen(picker.state).lines.count == lines)
            guard terminal.faults.isEmpty else { break }
        }
    }
}
