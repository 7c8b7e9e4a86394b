// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport

@testable import Remoting

/// Generates values of every type from a seed.
struct RandomValue {
    private var numbers: SeededRandom
    private(set) var catalog = StructCatalog()
    private var classes = 0

    init(seed: UInt64) {
        numbers = SeededRandom(seed: seed)
    }

    mutating func pair(depth: Int = 4) -> (RemotingType, RemotingValue) {
        switch Int.random(in: 0..<(depth > 0 ? 18 : 15), using: &numbers) {
        case 0: return (.integer, .integer(.random(in: .min ... .max, using: &numbers)))
        case 1: return (.int64, .int64(.random(in: .min ... .max, using: &numbers)))
        case 2: return (.double, .double(.random(in: -1e300...1e300, using: &numbers)))
        case 3: return (.boolean, .boolean(.random(using: &numbers)))
        case 4: return (.dateTime, .dateTime(DateTime(days: .random(in: 0...80_000, using: &numbers))))
        case 5: return (.currency, .currency(Currency(scaled: .random(in: .min ... .max, using: &numbers))))
        case 6: return (.decimal, .decimal(decimal()))
        case 7: return (.guid, .guid(guid()))
        case 8: return (.ansiString, .ansiString(AnsiString(bytes: bytes())))
        case 9: return (.utf8String, .utf8String(text()))
        case 10: return (.wideString, .wideString(text()))
        case 11: return (.xml, .xml(text()))
        case 12: return (.binary, .binary(Bool.random(using: &numbers) ? ByteBuffer(bytes: bytes()) : nil))
        case 13: return (.enumeration(), .enumeration(.random(in: 0...9, using: &numbers)))
        case 14: return (.variant, .variant(variant(depth: depth)))
        case 15: return structure(depth: depth - 1)
        default: return array(depth: depth - 1)
        }
    }

    private mutating func array(depth: Int) -> (RemotingType, RemotingValue) {
        // All elements have one type, so the same pair is repeated.
        let (type, value) = pair(depth: depth)
        guard Int.random(in: 0..<5, using: &numbers) > 0 else { return (.array(of: type), .array(nil)) }
        let count = Int.random(in: 0...4, using: &numbers)
        return (.array(of: type), .array(Array(repeating: value, count: count)))
    }

    private mutating func structure(depth: Int) -> (RemotingType, RemotingValue) {
        classes += 1
        let name = "TClass\(classes)"
        guard Int.random(in: 0..<6, using: &numbers) > 0 else { return (.structure(name), .nullStructure) }
        let members = (0..<Int.random(in: 0...5, using: &numbers)).map { index in ("F\(9 - index)", pair(depth: depth))
        }
        catalog.define(name, members.map { .init($0.0, $0.1.0) })
        return (.structure(name), .structure(RemotingStruct(name, members.map { .init($0.0, $0.1.1) })))
    }

    private mutating func variant(depth: Int) -> RemotingVariant {
        switch Int.random(in: 0..<(depth > 0 ? 23 : 21), using: &numbers) {
        case 0: return .empty
        case 1: return .null
        case 2: return .int16(.random(in: .min ... .max, using: &numbers))
        case 3: return .int32(.random(in: .min ... .max, using: &numbers))
        case 4: return .single(.random(in: -1e30...1e30, using: &numbers))
        case 5: return .double(.random(in: -1e300...1e300, using: &numbers))
        case 6: return .currency(Currency(scaled: .random(in: .min ... .max, using: &numbers)))
        case 7: return .dateTime(DateTime(days: .random(in: 0...80_000, using: &numbers)))
        case 8: return .string(text())
        case 9: return .error
        case 10: return .boolean(.random(using: &numbers))
        case 11: return .decimal(decimal())
        case 12: return .int8(.random(in: .min ... .max, using: &numbers))
        case 13: return .uint8(.random(in: .min ... .max, using: &numbers))
        case 14: return .uint16(.random(in: .min ... .max, using: &numbers))
        case 15: return .uint32(.random(in: .min ... .max, using: &numbers))
        case 16: return .int64(.random(in: .min ... .max, using: &numbers))
        case 17: return .guid(guid())
        case 18: return .ansiString(AnsiString(bytes: bytes()))
        case 19: return .utf8String(text())
        case 20: return .bytes(ByteBuffer(bytes: bytes()))
        default:
            return .array(
                low: .random(in: -3...3, using: &numbers),
                (0..<Int.random(in: 0...3, using: &numbers)).map { _ in variant(depth: depth - 1) }
            )
        }
    }

    mutating func bytes() -> [UInt8] {
        (0..<Int.random(in: 0...40, using: &numbers)).map { _ in .random(in: .min ... .max, using: &numbers) }
    }

    private mutating func text() -> String {
        let scalars: [Unicode.Scalar] = ["a", "Z", "\"", ";", "\0", "é", "€", "日", "😀"]
        return String(
            String.UnicodeScalarView(
                (0..<Int.random(in: 0...12, using: &numbers)).compactMap { _ in scalars.randomElement(using: &numbers) }
            )
        )
    }

    private mutating func guid() -> GUID {
        withUnsafeBytes(of: (numbers.next(), numbers.next())) { GUID(wireBytes: $0) }
    }

    private static let zero = Decimal96("0").unsafelyUnwrapped

    private mutating func decimal() -> Decimal96 {
        let scale = UInt8.random(in: 0...28, using: &numbers)
        return Decimal96(
            high: .random(in: .min ... .max, using: &numbers),
            low: numbers.next(),
            scale: scale,
            isNegative: .random(using: &numbers)
        ) ?? Self.zero
    }
}
