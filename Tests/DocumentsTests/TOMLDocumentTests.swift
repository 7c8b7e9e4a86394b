// SPDX-License-Identifier: Apache-2.0

import Documents
import Testing

@Suite("TOML documents")
struct TOMLDocumentTests {
    private func fault(_ text: String, limits: TOMLLimits = TOMLLimits()) throws -> TOMLError {
        try #require(throws: TOMLError.self) { try TOMLDocument.parse(text, limits: limits) }
    }

    @Test("values of every kind are parsed")
    func values() throws {
        let read = try TOMLDocument.parse(
            """
            # a comment, ü
            text = "a \\"b\\" \\u00FC é"
            literal = 'C:\\new'
            long = \"\"\"
            one "two" \\
                three\"\"\"\"
            number = -1_000
            largest = 9223372036854775807
            hexadecimal = 0xFF
            ratio = 1.5
            yes = true
            day = 2026-01-02
            list = [1, "x", [], [{ a = 1 }]]
            dotted.key."with.dot" = 1
            [table]
            empty = ""
            [[tables]]
            n = 1
            [[tables]]
            n = 2
            """
        )
        #expect(
            read == [
                "text": .string("a \"b\" ü é"), "literal": .string("C:\\new"), "long": .string("one \"two\" three\""),
                "number": .integer(-1_000), "largest": .integer(.max), "hexadecimal": .integer(255),
                "ratio": .float(1.5), "yes": .boolean(true), "day": .moment,
                "list": .array([.integer(1), .string("x"), .array([]), .array([.table(["a": .integer(1)])])]),
                "dotted": .table(["key": .table(["with.dot": .integer(1)])]),
                "table": .table(["empty": .string("")]),
                "tables": .array([.table(["n": .integer(1)]), .table(["n": .integer(2)])]),
            ]
        )
    }

    @Test("members and tables in arrays have the line on which they begin")
    func lines() throws {
        let read = try TOMLDocument.parseWithLines(
            """
            a = 1
            long = [
              1,
              { b = 2 },
            ]
            [table]
            "with.dot".c = 3

            [[tables]]
            n = 1
            [[tables]]
            n = 2
            """
        )
        #expect(
            read.lines == [
                ["a"]: 1, ["long"]: 2, ["long", "1"]: 4, ["long", "1", "b"]: 4, ["table"]: 6, ["table", "with.dot"]: 7,
                ["table", "with.dot", "c"]: 7, ["tables"]: 9, ["tables", "0"]: 9, ["tables", "0", "n"]: 10,
                ["tables", "1"]: 11, ["tables", "1", "n"]: 12,
            ]
        )
        #expect(read.values["a"] == .integer(1))
    }

    @Test("an empty text gives an empty table", arguments: ["", "\n", "# nothing", "\u{FEFF}", "\u{FEFF}# nothing"])
    func empty(text: String) throws {
        #expect(try TOMLDocument.parse(text).isEmpty)
    }

    @Test("each accessor returns values of its own kind only")
    func kinds() {
        #expect(TOMLValue.string("a").string == "a" && TOMLValue.integer(1).string == nil)
        #expect(TOMLValue.integer(1).integer == 1 && TOMLValue.float(1).integer == nil)
        #expect(TOMLValue.boolean(true).boolean == true && TOMLValue.integer(1).boolean == nil)
        #expect(TOMLValue.array([.moment]).array == [.moment] && TOMLValue.table([:]).array == nil)
        #expect(TOMLValue.table([:]).table == [:] && TOMLValue.array([]).table == nil)
    }

    @Test(
        "an error has the line, the column in characters, and a reason",
        arguments: [
            ("a = 1\nb = 1 2", 2, 7, "saw '2'"), ("a = 1\n\na = 2", 3, 0, "'a'"), ("a = \"x", 1, 0, "end-of-file"),
            ("# é\na = 'é' é", 2, 9, "not plain ASCII"), ("a = 99999999999999999999", 1, 0, "64 bits"),
            ("a = \"\\q\"", 1, 0, "escape"), ("\na = 'x\0y'", 2, 7, "NUL"), ("# x\0y", 1, 4, "NUL"),
            ("\0", 1, 1, "NUL"), ("\na = \"x\\u0000y\"", 2, 5, "NUL"), ("\"x\\u0000y\" = 1", 1, 0, "NUL"),
        ]
    )
    func faults(text: String, line: Int, column: Int, reason: String) throws {
        let fault = try fault(text)
        #expect(fault.line == line)
        // 0: the column is chosen by the parser.
        if column > 0 { #expect(fault.column == column) } else { #expect(fault.column > 0) }
        #expect(fault.reason.contains(reason), "\(fault)")
    }

    /// With assertions enabled, toml++ 3.3.0 aborts the process for some of these texts.
    @Test(
        "a malformed header or key is an error",
        arguments: [
            "[~", "[.", "[.]", "[.a]", "[[.", "[[~]]", "[=", "[,]", "[a.", "[a.]", "[a.~]", "a. = 1", "a.~ = 1",
            ".a = 1", "[\"", "[']",
        ]
    )
    func headers(text: String) throws {
        for text in [text, text + "\n", "a.b = 1\n" + text + " x"] { #expect(try fault(text).line > 0) }
    }

    @Test("a long reason is truncated, and an error quotes bytes that are not text")
    func longReason() throws {
        let key = String(repeating: "k", count: 1_000)
        let fault = try fault("\(key) = 1\n\(key) = 2")
        #expect(fault.reason.utf8.count == 255)
    }
}
