// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import TestSupport
import Testing

/// Compares this module with Foundation. The known differences are listed here.
@Suite("Comparison with Foundation")
struct OracleTests {
    @Test("random values survive a round trip through Foundation", arguments: 1...4)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let value = JSONValue.random(depth: 4, using: &random)
            let bytes = value.serialized()
            #expect(try JSONValue(parsing: bytes) == value)
            #expect(try JSONValue(parsing: value.serialized(.pretty)) == value)
            let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            let written = try JSONSerialization.data(withJSONObject: theirs, options: .fragmentsAllowed)
            #expect(try JSONValue(parsing: written).isAlike(value))
        }
    }

    @Test("mutated texts are accepted by both or rejected by both", arguments: 1...8)
    func mutations(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            var bytes = JSONValue.random(depth: 3, using: &random).serialized()
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 1...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(Array("{}[]\",:0e-.\\u ".utf8).randomElement(using: &random) ?? 0, at: place)
                }
            }
            let ours = Result { () throws(JSONSyntaxError) in try JSONValue(parsing: bytes) }
            let theirs = Result { try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) }
            switch (ours, theirs) {
            case (.success, .success), (.failure, .failure): continue
            case (.failure(let error), .success) where Self.isKnownDifference(error, bytes): continue
            default: Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(ours), theirs \(theirs)")
            }
        }
    }

    /// Errors that Foundation does not report: it keeps one of two equal keys, and accepts a comma before a closing
    /// bracket.
    private static func isKnownDifference(_ error: JSONSyntaxError, _ bytes: [UInt8]) -> Bool {
        switch error.reason {
        case .duplicateKey:
            return true
        case .unexpectedByte:
            let before = bytes[..<error.offset].last { $0 != UInt8(ascii: " ") }
            return before == UInt8(ascii: ",") && "]}".utf8.contains(bytes[error.offset])
        default:
            return false
        }
    }
}

extension JSONValue {
    fileprivate static func random(depth: Int, using random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
        case 3: return .number(Double.random(in: -1e6...1e6, using: &random))
        case 4, 5: return .string(randomString(using: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in .random(depth: depth - 1, using: &random) }
            )
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<25, using: &random) {
                object[randomString(using: &random)] = .random(depth: depth - 2, using: &random)
            }
            return .object(object)
        }
    }

    private static func randomString(using random: inout SeededRandom) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            let bound: UInt32 = [0x80, 0x80, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &random) ?? 0x80
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0..<bound, using: &random)) ?? "?")
        }
        // Foundation drops a byte order mark at the beginning of a string.
        while text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return text
    }

    /// Whether two values are equal except for the type of numbers: Foundation writes 1.0 as 1.
    fileprivate func isAlike(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isAlike($1) }
        case (.object(let left), .object(let right)):
            return left.count == right.count && left.allSatisfy { right[$0.key]?.isAlike($0.value) ?? false }
        case (.integer(let left), .integer(let right)): return left == right
        default:
            if let left = numberValue, let right = other.numberValue { return left == right }
            return self == other
        }
    }
}
