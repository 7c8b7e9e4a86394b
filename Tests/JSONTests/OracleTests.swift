// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSON
import RandomRuns
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
