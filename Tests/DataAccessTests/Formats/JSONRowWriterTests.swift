// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import NIOCore
import Testing

@Suite("JSON rows")
struct JSONRowWriterTests {
    private static func lines(
        _ table: DataTable,
        _ options: FormatOptions = FormatOptions()
    ) async throws -> String {
        try await output(of: table, nil, options) { JSONRowWriter($0, .lines, $1) }
    }

    private static func numbers() throws -> DataTable {
        let decimal = try #require(DataDecimal("-0.50"))
        return try DataTable.table(
            [("i", .integer), ("l", .largeInt), ("u", .largeUInt), ("c", .currency), ("d", .decimal), ("f", .float)],
            [[.integer(-1), .integer(.max), .unsigned(.max), .currency(scaled: 5), .decimal(decimal), .float(2)]]
        )
    }

    @Test("numbers are JSON numbers with all digits, or text where a Double is too small")
    func numbersAsText() async throws {
        let plain = try await Self.lines(Self.numbers())
        #expect(
            plain == """
                {"i":-1,"l":9223372036854775807,"u":18446744073709551615,"c":0.0005,"d":-0.50,"f":2.0}\n
                """
        )
        var options = FormatOptions()
        options.numbersAsText = true
        let text = try await Self.lines(Self.numbers(), options)
        #expect(
            text == """
                {"i":-1,"l":"9223372036854775807","u":"18446744073709551615","c":"0.0005","d":"-0.50","f":2.0}\n
                """
        )
    }

    @Test("texts survive a parser, whatever characters they contain")
    func texts() async throws {
        let wide = String(String.UnicodeScalarView((0...0x17F).compactMap { Unicode.Scalar($0) })) + "中😀\u{2028}"
        let narrow = String(String.UnicodeScalarView((0...0xFF).map { Unicode.Scalar(UInt8($0)) }))
        let table = try DataTable.table(
            [("a\"\n", .wideMemo), ("b", .memo)],
            [[.text(wide), .text(narrow)], [.null, .text("")]]
        )
        let text = try await Self.lines(table)
        let rows = try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(rows == [["a\"\n": .string(wide), "b": .string(narrow)], ["a\"\n": nil, "b": ""]])
    }

    @Test("dates, Booleans, blobs and Guids; an uncertain time is text")
    func others() async throws {
        let guid = "01234567-89ab-cdef-0123-456789abcdef"
        let table = try DataTable.table(
            [("t", .dateTime), ("b", .boolean), ("x", .blob), ("g", .guid)],
            [
                [.dateTime(days: 43_861), .boolean(true), .bytes(ByteBuffer(bytes: [1, 2])), .text(guid)],
                [.dateTime(days: -1.5), .null, .bytes(ByteBuffer()), .null],
            ]
        )
        #expect(
            try await Self.lines(table) == """
                {"t":"2020-01-31T00:00:00","b":true,"x":"AQI=","g":"\(guid)"}
                {"t":"1899-12-29?-1.5","b":null,"x":"","g":null}\n
                """
        )
    }

    @Test("NaN and infinity are errors that name column and row", arguments: [Double.nan, .infinity, -.infinity])
    func notANumber(value: Double) async throws {
        for (type, cell) in [(.float, .float(value)), (.singleFloat, .float(value))] as [(DataType, DataValue)] {
            let table = try DataTable.column("f", type, [.null, cell])
            await #expect(throws: FormatError.notANumber(column: "f", row: 2)) { try await Self.lines(table) }
        }
    }

    @Test("the array and the object are whole, with and without rows")
    func forms() async throws {
        for count in 0...2 {
            let table = try DataTable.column("a", .integer, (0..<count).map { .integer(Int64($0)) })
            let rows = JSONValue.array((0..<count).map { ["a": .integer(Int64($0))] })
            let array = try await output(of: table) { JSONRowWriter($0, .array, $1) }
            #expect(try JSONValue(parsing: Array(array.utf8)) == rows && array.hasSuffix("]\n"))
            let object = try await output(of: table) { sink, options in
                var writer = JSONRowWriter(sink, .object, options)
                writer.evaluated = ["where": "server"]
                writer.members = ["offline": true, "b": "x"]
                return writer
            }
            #expect(
                try JSONValue(parsing: Array(object.utf8)) == [
                    "schemaVersion": 1,
                    "fields": [["name": "a", "type": "Integer", "key": false, "required": false]],
                    "rows": rows, "evaluated": ["where": "server"], "offline": true, "b": "x",
                ]
            )
        }
        let sink = OutputSink()
        var empty = JSONRowWriter(sink, .object)
        try empty.finish()
        let value = try JSONValue(parsing: sink.takeBytes())
        #expect(value == ["schemaVersion": 1, "fields": [], "rows": [], "evaluated": [:]])
    }

    @Test("equal names get a suffix, so that no member is lost")
    func names() async throws {
        let table = try DataTable.table(
            [("a", .integer), ("a", .integer), ("a_2", .integer)],
            [[.integer(1), .integer(2), .integer(3)]]
        )
        #expect(try await Self.lines(table) == "{\"a\":1,\"a_2\":2,\"a_2_2\":3}\n")
    }

    @Test("on a terminal unsafe characters become JSON escapes")
    func terminal() async throws {
        let text = "é\u{1B}\u{9B}\u{202E}😀\u{7F}\\"
        let table = try DataTable.column("a\u{9B}", .wideString, [.text(text)])
        var options = FormatOptions()
        options.terminal = .test()
        let shown = try await Self.lines(table, options)
        #expect(shown == "{\"a\\u009b\":\"é\\u001b\\u009b\\u202e\\ud83d\\ude00\\u007f\\\\\"}\n")
        #expect(try JSONValue(parsing: Array(shown.utf8)) == ["a\u{9B}": .string(text)])
        #expect(try await Self.lines(table).contains("\u{9B}"))
        let object = try await output(of: table, nil, options) { sink, options in
            var writer = JSONRowWriter(sink, .object, options)
            writer.evaluated = ["n\u{9B}": "é\u{1B}\\"]
            return writer
        }
        #expect(object.hasSuffix("\"evaluated\":{\"n\\u009b\":\"é\\u001b\\\\\"}}\n"))
    }
}
