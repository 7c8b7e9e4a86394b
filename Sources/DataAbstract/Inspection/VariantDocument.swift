// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
import Remoting

/// A Variant in a document: its code in hexadecimal, and what stands behind it.
enum VariantDocument {
    /// Arrays in arrays, as in a message.
    private static let depth = WireLimits.standard.depth

    static func write(_ variant: RemotingVariant) -> JSONObject {
        guard case .array(let code, let low, let elements) = variant else {
            let (code, value) = plain(variant)
            return value.map { ["code": .string(text(code)), "value": $0] } ?? ["code": .string(text(code))]
        }
        return [
            "code": .string(text(code)), "low": .integer(Int64(low)),
            "elements": .array(elements.map { .object(write($0)) }),
        ]
    }

    static func read(_ object: JSONObject) throws -> RemotingVariant {
        try read(object, depth: depth)
    }

    private static func read(_ object: JSONObject, depth: Int) throws -> RemotingVariant {
        guard let digits = object["code"]?.stringValue,
            let code = UInt32(digits, radix: 16).map(Int32.init(bitPattern:))
        else {
            throw DocumentError.shape("code of a variant")
        }
        guard let elements = object["elements"]?.arrayValue else { return try plain(code, object["value"]) }
        guard depth > 0, let low = object["low"]?.integerValue.flatMap(Int32.init(exactly:)) else {
            throw DocumentError.shape("low bound of a variant")
        }
        let variants = try elements.map { element in
            guard let object = element.objectValue else { throw DocumentError.shape("element of a variant") }
            return try read(object, depth: depth - 1)
        }
        return .array(code: code, low: low, variants)
    }

    private static func plain(_ variant: RemotingVariant) -> (code: Int32, value: JSONValue?) {
        switch variant {
        case .empty: (0x0000, nil)
        case .null: (0x0001, nil)
        case .int16(let value): (0x0002, .integer(Int64(value)))
        case .int32(let value): (0x0003, .integer(Int64(value)))
        case .single(let value): (0x0004, ValueDocument.number(Double(value)))
        case .double(let value): (0x0005, ValueDocument.number(value))
        case .currency(let value): (0x0006, .string(value.description))
        case .dateTime(let value): (0x0007, ValueDocument.number(value.days))
        case .string(let value): (0x0008, .string(value))
        case .error: (0x000A, nil)
        case .boolean(let value): (0x000B, .bool(value))
        case .decimal(let value): (0x000E, .string(value.description))
        case .int8(let value): (0x0010, .integer(Int64(value)))
        case .uint8(let value): (0x0011, .integer(Int64(value)))
        case .uint16(let value): (0x0012, .integer(Int64(value)))
        case .uint32(let value): (0x0013, .integer(Int64(value)))
        case .int64(let value): (0x0014, .integer(value))
        case .guid(let value): (0x0072, .string(value.text))
        case .ansiString(let value): (0x0100, .string(value.text))
        case .utf8String(let value): (0x0102, .string(value))
        case .bytes(let value): (0x2011, .string(HexText.encode(Array(value.readableBytesView))))
        case .array(let code, _, _): (code, nil)
        }
    }

    private static func plain(_ code: Int32, _ json: JSONValue?) throws -> RemotingVariant {
        let integer = json?.integerValue
        let number = json?.numberValue
        let text = json?.stringValue
        let variant: RemotingVariant? =
            switch code {
            case 0x0000: .empty
            case 0x0001: .null
            case 0x0002: integer.flatMap(Int16.init(exactly:)).map { .int16($0) }
            case 0x0003: integer.flatMap(Int32.init(exactly:)).map { .int32($0) }
            case 0x0004: number.map { .single(Float($0)) }
            case 0x0005: number.map { .double($0) }
            case 0x0006: text.flatMap(Currency.init).map { .currency($0) }
            case 0x0007: number.map { .dateTime(DateTime(days: $0)) }
            case 0x0008: text.map { .string($0) }
            case 0x000A: .error
            case 0x000B: json?.boolValue.map { .boolean($0) }
            case 0x000E: text.flatMap { Decimal96($0) }.map { .decimal($0) }
            case 0x0010: integer.flatMap(Int8.init(exactly:)).map { .int8($0) }
            case 0x0011: integer.flatMap(UInt8.init(exactly:)).map { .uint8($0) }
            case 0x0012: integer.flatMap(UInt16.init(exactly:)).map { .uint16($0) }
            case 0x0013: integer.flatMap(UInt32.init(exactly:)).map { .uint32($0) }
            case 0x0014: integer.map { .int64($0) }
            case 0x0072: text.flatMap { GUID($0) }.map { .guid($0) }
            case 0x0100: text.map { .ansiString(AnsiString(bytes: Array($0.utf8))) }
            case 0x0102: text.map { .utf8String($0) }
            case 0x2011: text.flatMap { HexText.decode($0) }.map { .bytes(ByteBuffer(bytes: $0)) }
            default: nil
            }
        guard let variant else { throw DocumentError.shape("value of a variant") }
        return variant
    }

    private static func text(_ code: Int32) -> String {
        let digits = String(UInt32(bitPattern: code), radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
