// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@testable import DataAccess

@Suite("Files to import")
struct ImportSourceTests {
    private func records(
        _ text: [UInt8],
        _ format: ImportFormat = ImportFormat(.csv),
        mostBytes: Int = 64 << 10,
        bufferBytes: Int = 256 << 10
    ) throws(ImportSourceError) -> [ImportRecord] {
        let folder = TemporaryDirectory()
        folder.write(text, to: "f")
        let descriptor = open(folder.path(of: "f"), O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var source = try ImportSource(descriptor, format, mostBytes: mostBytes, bufferBytes: bufferBytes)
        var records: [ImportRecord] = []
        while let record = try source.next() { records.append(record) }
        return records
    }

    private func values(
        _ text: String,
        _ format: ImportFormat = ImportFormat(.csv)
    ) throws(ImportSourceError) -> [[FieldText]] {
        try records(Array(text.utf8), format).map(\.values)
    }

    private static let json = ImportFormat(.json)

    @Test("CSV has NULL, empty texts, quotes, commas and line breaks in texts, and any end of the last line")
    func csv() throws {
        let heading = "\u{FEFF}A,B\r\n"
        #expect(try values(heading + "1,\"x\"\"y\"\n") == [[.text("1"), .text("x\"y")]])
        #expect(try values(heading + ",\"\"") == [[.null, .text("")]])
        #expect(try values(heading + "1,") == [[.text("1"), .null]])
        #expect(try values(heading + "\n\"a,\nb\",é\r\n\r\n") == [[.text("a,\nb"), .text("é")]])
        #expect(try values("A\n\n1") == [[.null], [.text("1")]])
        #expect(try records(Array("A\n\"x\ny\"\nz".utf8)).map(\.line) == [2, 4])
        #expect(try values(heading).isEmpty)
    }

    @Test("with a text for NULL, only this text without quotes is NULL")
    func nullText() throws {
        var format = ImportFormat(.csv)
        format.nullText = "\\N"
        let found = try values("A,B\n\\N,\"\\N\"\n,\\NN\n\n\"\",\\N", format)
        #expect(
            found == [[.null, .text("\\N")], [.text(""), .text("\\NN")], [.text(""), .null]]
        )
        #expect(try values("A\n\n\\N\n", format) == [[.text("")], [.null]])
    }

    @Test("fields are separated by the option, a line sep=, or the character of the format")
    func delimiters() throws {
        let expected: [[FieldText]] = [[.text("1;2"), .text("x,y")]]
        var semicolon = ImportFormat(.csv)
        semicolon.delimiter = UInt8(ascii: ";")
        var tab = ImportFormat(.csv)
        tab.usualDelimiter = UInt8(ascii: "\t")
        #expect(try values("A;B\n\"1;2\";x,y\n", semicolon) == expected)
        #expect(try values("sep=,\nA;B\n\"1;2\";x,y\n", semicolon) == expected)
        #expect(try values("A\tB\n1;2\tx,y\n", tab) == expected)
        for line in ["sep=;\r\n", "\u{FEFF}\"sep=;\"\n", "sep=;\r"] {
            let found = try records(Array((line + "A;B\n\"1;2\";x,y\n").utf8), tab)
            #expect(found.map(\.values) == expected && found.map(\.line) == [3], "\(line)")
        }
        #expect(try records(Array("sep=1,B\n1,2\n".utf8)).map(\.names) == [["sep=1", "B"]])
        for line in ["sep=\n", "sep=\r\n", "\"sep=\r\"\n", "\"sep=\"\"\"\n", "sep=é\n"] {
            #expect(try values(line + "1\n") == [[.text("1")]], "\(line)")
        }
    }

    @Test("without a format, the first character decides")
    func firstCharacter() throws {
        for text in ["\u{FEFF}\n {\"A\":\"1\"}\n", "\n[{\"A\":1}]", "A\n1\n"] {
            let found = try records(Array(text.utf8), ImportFormat())
            #expect(found.map(\.names) == [["A"]] && found.map(\.values) == [[.text("1")]], "\(text)")
        }
        #expect(throws: ImportSourceError.badHeading) { try records([], ImportFormat()) }
    }

    @Test(
        "damaged CSV is an error with its line",
        arguments: [
            ("A,B\n1\n", .fieldCount(line: 2, found: 1, expected: 2)), ("", .badHeading), ("A,A\n", .badHeading),
            ("A,\n", .badHeading), ("A\n\"x", .openQuote(line: 2)), ("A\nx\"y\n", .badQuotes(line: 2)),
            ("A,B\n1,\"x\ny\",z\n", .fieldCount(line: 2, found: 3, expected: 2)),
            ("A\n1\n\"x\n\n", .openQuote(line: 3)), ("A,B\n\"x\ny\",\"z", .openQuote(line: 3)),
            ("A\n1\n\"x\"y\n", .badQuotes(line: 3)),
        ] as [(String, ImportSourceError)]
    )
    func damaged(_ text: String, _ error: ImportSourceError) {
        #expect(throws: error) { try values(text) }
    }

    @Test("CSV is the same wherever the reads of the file end")
    func parts() {
        var random = SeededRandom(seed: 5)
        let tokens = [",", ",", "\n", "\r\n", "\r", "\"", "\"\"", "\"x\"", "\"y\ny\"", "a", "bc", "é", ",\"", "\","].map
        { Array($0.utf8) }
        var (complete, damaged) = (0, 0)
        for _ in 0..<300 {
            var text = Array("A,B\n".utf8)
            for _ in 0..<Int.random(in: 1...12, using: &random) { text += tokens[Int(random.next() % 14)] }
            if random.next() % 20 == 0 { text.append(0xFF) }
            let read = { (size: Int) in
                Result { () throws(ImportSourceError) in try records(text, mostBytes: 6, bufferBytes: size) }
            }
            let expected = read(1)
            for size in [2, 3, 5, 1_000] { #expect(read(size) == expected, "\(text)") }
            if case .success = expected { complete += 1 } else { damaged += 1 }
        }
        #expect(complete > 20 && damaged > 20)
    }

    @Test("bytes that are not UTF-8, too many fields and too long records are refused")
    func limits() {
        #expect(throws: ImportSourceError.notUTF8(line: 2)) { try records(Array("A\n".utf8) + [0xFF]) }
        let fields = Array("A\n".utf8) + [UInt8](repeating: UInt8(ascii: ","), count: ImportSource.mostFields)
        #expect(throws: ImportSourceError.tooLarge(line: 2)) { try records(fields) }
        #expect(throws: ImportSourceError.tooLarge(line: 1)) {
            try records(Array("{  } ".utf8), Self.json, mostBytes: 3)
        }
        let two = Array("A,B\n12,34\n".utf8)
        #expect(throws: ImportSourceError.tooLarge(line: 2)) { try records(two, mostBytes: 3) }
        #expect(throws: Never.self) { try records(two, mostBytes: 4) }
    }

    @Test("a JSON array has objects, on any lines, and is complete")
    func jsonArray() throws {
        let text = " [\n{\"A\":1,\n \"B\":\"[{,\\\"\"},{\"A\":null}\n,\n{}]\n"
        for size in [1, 2, 7, 1_000] {
            let found = try records(Array(text.utf8), Self.json, bufferBytes: size)
            #expect(found.map(\.line) == [2, 3, 5] && found.map(\.names) == [["A", "B"], ["A"], []])
            #expect(found.map(\.values) == [[.text("1"), .text("[{,\"")], [.null], []])
        }
        #expect(try records(Array("[ ]".utf8), Self.json).isEmpty)
        let damaged: [(String, ImportSourceError)] = [
            ("[", .openArray(line: 1)), ("[{}\n", .openArray(line: 2)), ("[{},", .openArray(line: 1)),
            ("[{}\n{}]", .badObject(line: 2, .syntax(.unexpectedByte))), ("[{},]", .badObject(line: 1, .notAnObject)),
            ("[{}]\n{}", .badObject(line: 2, .notAnObject)),
            ("[{\"A\n\":1}]", .badObject(line: 1, .syntax(.controlCharacter))),
            ("[{}}", .badObject(line: 1, .syntax(.unexpectedByte))), ("[[]]", .badObject(line: 1, .notAnObject)),
            ("{\"A\":\"x\n{\"A\":1}\n", .badObject(line: 1, .syntax(.controlCharacter))),
        ]
        for (text, error) in damaged {
            #expect(throws: error, "\(text)") { try records(Array(text.utf8), Self.json) }
        }
    }

    @Test("JSONL has an object on each line")
    func jsonLines() throws {
        let text = "{\"A\": 1, \"B\": null}\n\n  {\"B\":\"x\\ny\",\"C\":true,\"D\":1.5}"
        let found = try records(Array(text.utf8), Self.json)
        #expect(found.map(\.line) == [1, 3] && found.map(\.names) == [["A", "B"], ["B", "C", "D"]])
        #expect(found.map(\.values) == [[.text("1"), .null], [.text("x\ny"), .text("true"), .text("1.5")]])
        for (wrong, fault) in [
            ("[1]", .notAnObject), ("{\"A\":[]}", .nested("A")), ("{\"A\":{}}", .nested("A")),
            ("{", .syntax(.unexpectedEnd)), ("{\"A\":1,\"A\":2}", .syntax(.duplicateKey)),
            ("{\"A\":1e400}", .syntax(.numberOutOfRange)),
        ] as [(String, ObjectFault)] {
            #expect(throws: ImportSourceError.badObject(line: 1, fault), "\(wrong)") {
                try records(Array(wrong.utf8), Self.json)
            }
        }
    }

    @Test("JSONL keeps all digits of a number")
    func numbers() throws {
        let numbers = [
            "99999999999999.1234", "12345678901234.567890", "922337203685477.5807", "-0.10", "18446744073709551615",
            "1.2345678901234567e-05",
        ]
        for number in numbers {
            let found = try records(Array("{\"Price\":\(number)}".utf8), Self.json)
            #expect(found.map(\.values) == [[.text(number)]])
        }
        #expect(throws: ImportSourceError.badObject(line: 1, .syntax(.invalidNumber))) {
            try records(Array("{\"Price\":1.}".utf8), Self.json)
        }
    }

    @Test(
        "a parsed number is a value unless it may have lost digits",
        arguments: [
            (1.5, "1.5"), (-0.001, "-0.001"), (1_234_567_890.12345, "1234567890.12345"), (1000, "1000.0"),
            (99_999_999_999_999.1234, nil), (12_345_678_901_234.567890, nil), (0.1 + 0.2, nil),
        ] as [(Double, String?)]
    )
    func parsed(_ number: Double, _ text: String?) {
        #expect(FieldText(.number(number)) == text.map { FieldText.text($0) })
    }

    @Test("the name in a key is compared without case, whatever the length of its lower case")
    func keys() {
        let fields = ["İ", "B"]
        let expected = [FieldAssignment("İ", .text("12")), FieldAssignment("B", .text("x=,y"))]
        #expect(KeyText.assignments("İ=12,b=x=,y", fields: fields) == expected)
        #expect(KeyText.assignments("İ,B=1", fields: fields) == nil)
        #expect(KeyText.assignments("İ=,B=", fields: fields)?.map(\.value) == [.text(""), .text("")])
    }
}
