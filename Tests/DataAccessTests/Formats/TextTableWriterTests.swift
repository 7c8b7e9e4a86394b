// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import NIOCore
import Testing

@Suite("Tables of text")
struct TextTableWriterTests {
    private static func show(
        _ tables: [DataTable],
        _ rules: TerminalRules = .test(),
        showsNames: Bool = false
    ) throws -> String {
        let sink = OutputSink()
        var writer = TextTableWriter(sink, rules, FormatOptions(), showsNames: showsNames)
        for table in tables {
            try writer.begin(table.head)
            try writer.add(table.rows, nil)
        }
        try writer.finish()
        return String(decoding: sink.takeBytes(), as: UTF8.self)
    }

    @Test("numbers are aligned right, text left by its width on the terminal, NULL is visible")
    func alignment() throws {
        let table = try DataTable.table(
            [("Id", .integer), ("Name", .wideString), ("Amount", .currency), ("Data", .blob)],
            [
                [.integer(1), .text("中é"), .currency(scaled: 10_000), .bytes(ByteBuffer(bytes: [1]))],
                [.integer(100), .null, .null, .null],
                [.null, .text("a\u{1B}"), .currency(scaled: -1_234_567), .bytes(ByteBuffer())],
            ]
        )
        #expect(
            try Self.show([table]) == """
                  Id  Name        Amount  Data
                   1  中é         1.0000  <1 B>
                 100  NULL          NULL  NULL
                NULL  a\\u{1b}  -123.4567  <0 B>\n
                """
        )
    }

    @Test("a long text does not pad the other rows")
    func longText() throws {
        let long = String(repeating: "x", count: 5000)
        let table = try DataTable.table(
            [("a", .wideString), ("b", .integer)],
            [[.text(long), .integer(1)], [.null, .integer(2)]]
        )
        let lines = try Self.show([table]).split(separator: "\n").map(\.utf8.count)
        #expect(lines == [1000 + 2 + 1, 5000 + 2 + 1, 1000 + 2 + 1])
    }

    @Test("colours mark the heading and NULL, and change no width")
    func colours() throws {
        let table = try DataTable.table(
            [("a", .wideString), ("b", .integer)],
            [[.null, .null], [.text("NULL"), .integer(1)]]
        )
        let shown = try Self.show([table], .test(isColoured: true))
        #expect(
            shown == """
                \u{1B}[1ma\u{1B}[0m        \u{1B}[1mb\u{1B}[0m
                \u{1B}[2mNULL\u{1B}[0m  \u{1B}[2mNULL\u{1B}[0m
                NULL     1\n
                """
        )
    }

    @Test("lines fit the terminal: text is cut, then columns are left out, a number is never cut", arguments: 1...60)
    func fits(width: Int) throws {
        let table = try DataTable.table(
            [("Number", .largeInt), ("Short", .wideString), ("Long", .wideString), ("Last", .wideString)],
            [[.integer(12_345_678), .text("abc"), .text(String(repeating: "x", count: 200)), .text("end of the line")]]
        )
        let sink = OutputSink()
        var writer = TextTableWriter(sink, .test(width: width), FormatOptions())
        try writer.begin(table.head)
        try writer.add(table.rows, nil)
        try writer.finish()
        let lines = String(decoding: sink.takeBytes(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { #expect(line.count <= max(width, 8)) }
        #expect(lines[1].hasPrefix("12345678"))
        #expect(writer.hiddenColumns == (width < 15 ? 3 : width < 27 ? 2 : width < 39 ? 1 : 0))
        if width == 60 { #expect(lines[1] == "12345678  abc    xxxxxxxxxxxxxxxxxxxxxxxxx…  end of the line") }
    }

    @Test("a later text that is too wide is cut on a terminal and complete in a pipe")
    func laterRows() throws {
        let first = try DataTable.table([("a", .wideString), ("b", .integer)], [[.text("abc"), .integer(1)]])
        let later = try DataTable.table([("a", .wideString), ("b", .integer)], [[.text("abcdef"), .integer(1)]])
        for (width, expected) in [(80, "ab…  1"), (nil, "abcdef  1")] as [(Int?, String)] {
            let sink = OutputSink()
            var writer = TextTableWriter(sink, .test(width: width), FormatOptions())
            try writer.begin(first.head)
            try writer.add(first.rows, nil)
            try writer.add(later.rows, [0])
            try writer.finish()
            #expect(String(decoding: sink.takeBytes(), as: UTF8.self) == "a    b\nabc  1\n\(expected)\n")
        }
    }

    @Test("tables are separated, and have a heading also without rows")
    func severalTables() throws {
        let table = try DataTable.column("a", .integer, [.integer(1)])
        let empty = try DataTable.column("b", .integer, [])
        #expect(try Self.show([table, empty]) == "a\n1\n\nb\n")
        #expect(try Self.show([empty, table], showsNames: true) == "T\nb\n\nT\na\n1\n")
    }
}
