// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Objects written without a value of them")
struct JSONObjectTextTests {
    @Test("the text is the one that the value would have, behind what was there before")
    func same() {
        var random = SeededRandom(seed: 17)
        for _ in 0..<2_000 {
            var object = JSONObject()
            var text = JSONObjectText(after: Array("before".utf8))
            for key in 0..<Int.random(in: 0..<12, using: &random) {
                let key = "\(key)" + Self.string(using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: Self.add(key, Self.string(using: &random), &object, &text)
                case 1:
                    Self.add(
                        key,
                        Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random),
                        &object,
                        &text
                    )
                case 2: Self.add(key, Bool.random(using: &random), &object, &text)
                case 3: Self.add(key, String?.none, &object, &text)
                case 4: Self.add(key, Int64?.none, &object, &text)
                default:
                    let count = Int.random(in: 0..<4, using: &random)
                    Self.add(key, (0..<count).map { _ in Self.string(using: &random) }, &object, &text)
                }
            }
            #expect(text.finish() == Array("before".utf8) + JSONValue.object(object).serialized())
        }
    }

    private static func add(_ key: String, _ value: String?, _ object: inout JSONObject, _ text: inout JSONObjectText) {
        object[key] = value.map { .string($0) }
        text.add(key, value)
    }

    private static func add(_ key: String, _ value: Int64?, _ object: inout JSONObject, _ text: inout JSONObjectText) {
        object[key] = value.map { .integer($0) }
        text.add(key, value)
    }

    private static func add(_ key: String, _ value: Bool, _ object: inout JSONObject, _ text: inout JSONObjectText) {
        object[key] = .bool(value)
        text.add(key, value)
    }

    private static func add(_ key: String, _ value: [String], _ object: inout JSONObject, _ text: inout JSONObjectText)
    {
        object[key] = .array(value.map { .string($0) })
        text.add(key, value)
    }

    /// Mostly what has to be escaped.
    private static func string(using random: inout SeededRandom) -> String {
        let letters = Array("\u{0}\u{7}\u{1F}\n\r\t\"\\/aé€😀\u{7F}\u{2028}")
        return String(
            (0..<Int.random(in: 0..<10, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
        )
    }
}
