// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import relctl

@Suite("How relctl's output looks")
struct StyleTests {
    private static let terminal = ["TERM": "xterm", "LANG": "de_DE.UTF-8"]

    private static func style(_ isTerminal: Bool = true, _ added: [String: String] = [:]) -> Style {
        Style(isTerminal: isTerminal, Environment(terminal.merging(added) { $1 }))
    }

    @Test("colours are for terminals that have them and people who want them")
    func colours() {
        #expect(Self.style().isColoured)
        #expect(!Self.style(false).isColoured)
        #expect(!Self.style(true, ["NO_COLOR": "1"]).isColoured)
        #expect(!Self.style(true, ["NO_COLOR": "0"]).isColoured)
        #expect(Self.style(true, ["NO_COLOR": ""]).isColoured)
        #expect(!Self.style(true, ["TERM": "dumb"]).isColoured)
        #expect(!Self.style(true, ["TERM": ""]).isColoured)
    }

    @Test(
        "marks beyond ASCII are for terminals with UTF-8, whose name the first variable tells that is set",
        arguments: [
            ([:], true), (["LC_ALL": "C"], false), (["LC_ALL": "C.utf8"], true), (["LC_CTYPE": "POSIX"], false),
            (["LC_ALL": "", "LC_CTYPE": "", "LANG": ""], false), (["LC_CTYPE": "en_US.UTF-8", "LANG": "C"], true),
        ] as [([String: String], Bool)]
    )
    func marks(variables: [String: String], isUnicode: Bool) {
        let style = Self.style(true, variables)
        #expect(style.isUnicode == isUnicode)
        #expect(style.times == (isUnicode ? "×" : "x") && style.ellipsis == (isUnicode ? "…" : "..."))
        #expect(!Self.style(false, variables).isUnicode)
    }

    @Test("a table paints its heading and its states, and is as wide as without; nothing foreign is painted")
    func table() {
        let rows = [["stale", "conflict", "a\u{1B}[31m"], ["b", "reachable", "c"], ["d", "announced", "e"]]
        let painted = Table(["NAME", "STATE", "URL"], rows, Self.style()).text
        let plain = Table(["NAME", "STATE", "URL"], rows, .plain).text
        #expect(painted.hasPrefix("\u{1B}[1mNAME\u{1B}[0m   \u{1B}[1mSTATE\u{1B}[0m"))
        #expect(painted.contains("stale  \u{1B}[31mconflict\u{1B}[0m   a\\u{1B}[31m\n"))
        #expect(painted.contains("\u{1B}[32mreachable\u{1B}[0m") && painted.contains("  announced  "))
        #expect(painted.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
        #expect(Columns([StateWord("up", because: "x\u{7}", .plain)]).text == "up: x\\u{7}\n")
    }

    @Test("what is waited for is for a person at a terminal, and one that cannot wipe gets a line")
    func progress() {
        #expect(Progress(Environment([:]), isTerminal: false) == nil)
        #expect(Progress(Environment([:]), isTerminal: true) != nil)
    }
}
