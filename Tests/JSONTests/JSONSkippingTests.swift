// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Reading only some members")
struct JSONSkippingTests {
    private static let wanted: Set = ["a", "b", "list"]

    @Test("skipping equals parsing the whole value and removing the other members")
    func same() throws {
        var random = SeededRandom(seed: 23)
        for _ in 0..<3_000 {
            let value = Self.value(depth: 4, using: &random)
            let style: JSONStyle = Bool.random(using: &random) ? .compact : .pretty
            #expect(try Self.read(value.serialized(style)) == value.keeping(Self.wanted), "\(value.text)")
        }
    }

    @Test("a truncated text is rejected at every length")
    func cut() throws {
        let text = Array(#"{"a":{"x":[1,"\"]",{"y":null}],"b":1},"z\"":"\\","z":-1.5,"list":[{"c":"","b":true}]}"#.utf8)
        #expect(try Self.read(text) == ["a": ["b": 1], "list": [["b": true]]])
        for length in 0..<text.count {
            #expect(throws: JSONSyntaxError.self) { try Self.read(Array(text.prefix(length))) }
        }
    }

    @Test("skipped brackets use no stack")
    func deep() throws {
        let nested = String(repeating: "[", count: 500_000) + String(repeating: "]", count: 500_000)
        #expect(try Self.read(Array(#"{"x":\#(nested),"a":1}"#.utf8)) == ["a": 1])
    }

    @Test("a duplicate wanted key is rejected")
    func twice() throws {
        let error = try #require(throws: JSONSyntaxError.self) { try Self.read(Array(#"{"a":1,"a":2}"#.utf8)) }
        #expect(error.offset == 7 && error.reason == .duplicateKey)
    }

    private static func read(_ text: [UInt8]) throws -> JSONValue {
        let limits = JSONLimits(bytes: 2 << 20)
        return try text.withUnsafeBytes { try JSONValue(parsing: $0, limits: limits, onlyMembers: wanted) }
    }

    private static func value(depth: Int, using random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64.random(in: -99...99, using: &random))
        case 3: return .number(0.5)
        case 4: return .string(["", "}", "\"", "\\", "],", "a\\\"b", "é😀"].randomElement(using: &random) ?? "")
        case 5:
            return .array(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth - 1, using: &random) }
            )
        default:
            let keys = ["a", "b", "list", "", "aa", "x", "}", "\"a", "é"].shuffled(using: &random)
            var object = JSONObject()
            for key in keys.prefix(Int.random(in: 0...6, using: &random)) {
                object[key] = value(depth: depth - 1, using: &random)
            }
            return .object(object)
        }
    }
}

extension JSONValue {
    fileprivate func keeping(_ keys: Set<String>) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.keeping(keys) })
        case .object(let object):
            .object(JSONObject(object.filter { keys.contains($0.key) }.map { ($0.key, $0.value.keeping(keys)) }))
        default: self
        }
    }
}
