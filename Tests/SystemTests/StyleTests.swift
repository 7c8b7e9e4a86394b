// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import Testing

@testable import relctl

@Suite("Style of relctl's output")
struct StyleTests {
    private static let terminal = ["TERM": "xterm", "LANG": "de_DE.UTF-8"]

    private static func style(_ isTerminal: Bool = true, _ added: [String: String] = [:]) -> Style {
        Style(isTerminal: isTerminal, Environment(terminal.merging(added) { $1 }))
    }

    @Test("colours are for terminals that support them and users who want them")
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
        "marks beyond ASCII are for terminals with UTF-8, as the first variable that is set specifies",
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

    @Test("a table colours its heading and states with the same width as without, and no untrusted text")
    func table() {
        let rows = [["stale", "conflict", "a\u{1B}[31m"], ["b", "reachable", "c"], ["d", "announced", "e"]]
        let painted = Table(["NAME", "STATE", "URL"], rows, Self.style()).text
        let plain = Table(["NAME", "STATE", "URL"], rows, .plain).text
        #expect(painted.hasPrefix("\u{1B}[1mNAME\u{1B}[0m   \u{1B}[1mSTATE\u{1B}[0m"))
        #expect(painted.contains("stale  \u{1B}[31mconflict\u{1B}[0m   a\\u{1B}[31m\n"))
        #expect(painted.contains("\u{1B}[32mreachable\u{1B}[0m") && painted.contains("  announced  "))
        #expect(painted.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
        #expect(Columns([StateWord("up", because: Printable("x\u{7}"), .plain)]).text == "up: x\\u{7}\n")
    }

    @Test("a table fits the terminal: its widest column is truncated first, and fixed columns are not")
    func fitting() {
        let rows = [["n", "up", "http://server.example:7099/bin", "0123456789abcdef"]]
        func lines(_ width: Int?) -> [Substring] {
            Table(["NAME", "STATE", "URL", "ID"], rows, .plain, cutting: ["NAME", "URL"], to: width).text.split(
                separator: "\n"
            )
        }
        #expect(lines(nil) == lines(200) && lines(nil)[1].hasSuffix("/bin  0123456789abcdef"))
        #expect(
            lines(45)[1] == "n     up     http://server…  0123456789abcdef" && lines(45).allSatisfy { $0.count <= 45 }
        )
        // A long cell of a column that is not truncated moves only its own line.
        let long = Table(["NAME", "USER"], [[String(repeating: "n", count: 50), "a"], ["m", "b"]], .plain, to: 40).text
        let lengths = long.split(separator: "\n").map(\.count)
        #expect(lengths[0] <= 40 && lengths[1] == 53 && lengths[2] <= 40, "\(long)")
        // The truncated column keeps ten columns.
        #expect(lines(20)[1] == "n     up     http://se…  0123456789abcdef")
    }

    @Test(
        "a duration is printed in the most suitable unit",
        arguments: [
            (0, "0 s"), (-5, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "120 min"), (7_200, "2 h"),
            (43_199, "12 h"),
            (172_799, "48 h"), (172_800, "2 days"), (864_000, "10 days"),
        ] as [(Int64, String)]
    )
    func spans(seconds: Int64, text: String) {
        #expect("\(PlainSpan(seconds: seconds))" == text)
    }

    @Test("a status line is only for a user at a terminal, and a terminal that cannot erase it gets a full line")
    func progress() {
        #expect(Progress(Environment([:]), isTerminal: false) == nil)
        #expect(Progress(Environment([:]), isTerminal: true) != nil)
    }
}
