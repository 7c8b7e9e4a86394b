// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("The text of a row for an editor")
struct RowTextTests {
    private func row() throws -> RowText {
        func field(_ name: String, _ value: String, _ type: String = "WideString", key: Bool = false) -> String {
            #"{"name":"\#(name)","type":"\#(type)","value":\#(value),"isReadOnly":false,"isInKey":\#(key)}"#
        }
        let fields = [
            field("Id", "\"7\"", key: true), field("A", "\"x\""), field("A b", "null"), field("A=", "\"\\n\""),
            field("Photo", "\"AA==\"", "Blob"),
        ]
        return try RowText(parsing: Array("{\"fields\":[\(fields.joined(separator: ","))]}".utf8))
    }

    private let shown = "# Id = \"7\"\nA = \"x\"\n\"A b\" = null\n\"A=\" = \"\\n\"\n# Photo = \"AA==\"\n"

    @Test("each field has a line, and the unchanged text changes nothing")
    func unchanged() throws {
        #expect(try row().text == shown)
        for text in [shown, "", "\n# x\r\n", shown.replacing(" = ", with: "=")] {
            #expect(try row().changes(in: text).new.isEmpty, "\(text)")
        }
    }

    @Test("changed lines are the new values, with the old ones")
    func changed() throws {
        let changes = try row().changes(in: "A = null\r\n  \"A b\"=1.50\n\"A=\" = \"é\\u0041\"")
        #expect(changes.new == [JobValue("A"), JobValue("A b", text: "1.50"), JobValue("A=", text: "éA")])
        #expect(changes.old == [JobValue("A", text: "x"), JobValue("A b"), JobValue("A=", text: "\n")])
    }

    @Test("the decomposed form of a letter is another value than the composed one")
    func decomposed() throws {
        let field = #"{"name":"A","type":"WideString","value":"\u00e9","isReadOnly":false,"isInKey":false}"#
        let row = try RowText(parsing: Array("{\"fields\":[\(field)]}".utf8))
        #expect(try row.changes(in: "A = \"e\u{301}\"").new.count == 1)
        #expect(try row.changes(in: "A = \"\u{E9}\"").new.isEmpty)
    }

    @Test(
        "a line that is not a value of the row is an error",
        arguments: ["A", "A = x", "B = 1", "Id = 8", "A = [1]", "A = 1\nA = 2", "A b = 1", "A = \"x"]
    )
    func invalid(_ text: String) throws {
        #expect(throws: RowText.InvalidLine.self) { _ = try row().changes(in: text) }
    }
}
