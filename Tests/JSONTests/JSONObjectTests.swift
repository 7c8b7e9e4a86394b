// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite("JSON objects")
struct JSONObjectTests {
    @Test("members keep their position, nil removes a member, and equality and hash ignore the order")
    func members() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = nil
        object["b"] = .some(.null)
        #expect(object.map(\.key) == ["b", "c"])
        #expect(object["b"] == .some(.null))
        #expect(object["a"] == nil)
        #expect(object == ["c": 3, "b": nil])
        #expect(object.hashValue == (["c": 3, "b": nil] as JSONObject).hashValue)
        #expect(object != ["c": 3, "d": nil])
    }

    @Test("keys are compared by their bytes", arguments: [2, 40])
    func keys(count: Int) throws {
        var object = JSONObject((2..<count).map { ("\($0)", 0) })
        object["e\u{301}"] = 1
        object["\u{e9}"] = 2
        #expect(object.count == count)
        #expect(object["e\u{301}"] == 1 && object["\u{e9}"] == 2)
        #expect(try JSONValue(parsing: object.text) == .object(object))
        var other = object
        other["e\u{301}"] = nil
        other["e\u{301}"] = 1
        #expect(other == object && other.hashValue == object.hashValue)
        other["\u{e9}"] = nil
        other["e\u{301}"] = 2
        #expect(other != object)
    }

    @Test("typed reads return the value, nil, or an error with the path")
    func reads() throws {
        let object: JSONObject = [
            "s": "x", "i": 1, "n": 1.5, "b": true, "o": ["k": 1], "a": [1, "x"], "os": [[:]], "ss": ["x", "y"],
            "z": nil,
        ]
        #expect(try object.string("s") == "x")
        #expect(try object.integer("i") == 1)
        #expect(try object.number("n") == 1.5)
        #expect(try object.number("i") == 1)
        #expect(try object.bool("b"))
        #expect(try object.object("o").integer("k") == 1)
        #expect(try object.array("a").count == 2)
        #expect(try object.objects("os") == [[:]])
        #expect(try object.strings("ss") == ["x", "y"])
        #expect(try object.optionalString("z") == nil)
        #expect(try object.optionalStrings("missing") == nil)
        #expect(throws: JSONShapeError(path: "z", expected: .string)) { try object.string("z") }
        #expect(throws: JSONShapeError(path: "n", expected: .integer)) { try object.integer("n") }
        #expect(throws: JSONShapeError(path: "i", expected: .bool)) { try object.optionalBool("i") }
        #expect(throws: JSONShapeError(path: "a[0]", expected: .string)) { try object.strings("a") }
        #expect(throws: JSONShapeError(path: "os.k", expected: .object)) {
            throw JSONShapeError(path: "k", expected: .object).nested(under: "os")
        }
    }
}
