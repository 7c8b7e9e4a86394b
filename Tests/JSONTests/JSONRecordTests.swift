// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Records as text and as trees")
struct JSONRecordTests {
    private enum Colour: String, JSONWord {
        case red, green
    }

    private struct Record: JSONRecord {
        var text = ""
        var number: Int64 = 0
        var share = 0.0
        var flag = false
        var colour = Colour.red
        var words: [String] = []
        var any: JSONValue = .null
        var open: JSONObject = [:]
        var named: [String: Int64] = [:]
        var maybe: String?
        var children: [Record] = []

        init() {}

        static let members: [JSONMember<Self>] = [
            .init("text", \.text), .init("number", \.number), .init("share", \.share), .init("flag", \.flag),
            .init("colour", \.colour), .init("words", \.words), .init("any", \.any), .init("open", \.open),
            .init("named", \.named), .init("maybe", \.maybe), .init("children", \.children),
        ]
    }

    @Test("the text equals that of the tree, is appended, and reads back the same")
    func same() throws {
        var random = SeededRandom(seed: 17)
        for _ in 0..<500 {
            let record = Self.record(depth: 3, using: &random)
            var bytes = Array("before".utf8)
            record.serialize(into: &bytes)
            #expect(bytes == Array("before".utf8) + JSONValue.object(record.json).serialized())
            let read = try JSONValue(parsing: bytes.dropFirst("before".utf8.count))
            #expect(read == record.jsonValue)
            #expect(try Record(jsonValue: read) == record)
        }
    }

    @Test(
        "an error has the complete path of the invalid member",
        arguments: [
            ("text", JSONValue.integer(1), "text", JSONShapeError.Shape.string),
            ("number", .number(0.5), "number", .integer),
            ("flag", .null, "flag", .bool),
            ("colour", "blue", "colour", .validValue),
            ("colour", 1, "colour", .string),
            ("words", ["a", 2], "words[1]", .string),
            ("named", ["a": "b"], "named.a", .integer),
            ("maybe", 1, "maybe", .string),
            ("children", [["text": 1]], "children[0].text", .string),
            ("children", [1], "children[0]", .object),
            ("open", [], "open", .object),
        ] as [(String, JSONValue, String, JSONShapeError.Shape)]
    )
    func shape(key: String, value: JSONValue, path: String, expected: JSONShapeError.Shape) throws {
        var json = Record().json
        json[key] = value
        let error = try #require(throws: JSONShapeError.self) { try Record(json: json) }
        #expect(error == JSONShapeError(path: path, expected: expected))
    }

    @Test("a missing member is an error unless it is optional")
    func missing() throws {
        for (key, _) in Record().json {
            var json = Record().json
            json[key] = nil
            #expect(throws: JSONShapeError.self) { try Record(json: json) }
        }
        var json = Record().json
        json["maybe"] = .some(.null)
        json["unknown"] = 1
        #expect(try Record(json: json) == Record())
    }

    @Test("the pretty text of a record has a line for each member")
    func pretty() {
        let record: JSONObject = ["a": [1, [:]], "b": [], "c": ["d": true]]
        #expect(
            JSONValue.object(record).prettyText
                == "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": [],\n  \"c\": {\n    \"d\": true\n  }\n}"
        )
    }

    private static func record(depth: Int, using random: inout SeededRandom) -> Record {
        var record = Record()
        record.text = text(using: &random)
        record.number = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
        record.share = Double.random(in: -1e9...1e9, using: &random)
        record.flag = .random(using: &random)
        record.colour = Colour.allCases.randomElement(using: &random) ?? .red
        record.words = (0..<Int.random(in: 0..<4, using: &random)).map { _ in text(using: &random) }
        record.any =
            [.null, true, .string(text(using: &random)), ["k": [1, 2.5]]].randomElement(using: &random) ?? .null
        record.open = ["x": .string(text(using: &random)), "y": ["z": []]]
        for index in 0..<Int.random(in: 0..<3, using: &random) { record.named[text(using: &random)] = Int64(index) }
        record.maybe = Bool.random(using: &random) ? text(using: &random) : nil
        if depth > 0 {
            record.children = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                Self.record(depth: depth - 1, using: &random)
            }
        }
        return record
    }

    /// Returns a text of mostly characters that must be escaped.
    private static func text(using random: inout SeededRandom) -> String {
        let letters = Array("\u{0}\u{7}\u{1F}\n\r\t\"\\/aé€😀\u{7F}\u{2028}")
        return String(
            (0..<Int.random(in: 0..<10, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
        )
    }
}
