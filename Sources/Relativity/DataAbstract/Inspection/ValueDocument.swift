// SPDX-License-Identifier: Apache-2.0

import JSON
import NIOCore
import Platform
package import Remoting

/// Converts between a document and a value without parts. Unlike JSON messages, which are made for reading, it is
/// exact.
enum ValueDocument {
    static func write(_ value: RemotingValue) -> JSONObject {
        switch value {
        case .variant(let variant): VariantDocument.write(variant)
        case .double(let value): ["value": number(value)]
        case .dateTime(let time):
            time.text.map { ["value": number(time.days), "time": .string($0)] } ?? ["value": number(time.days)]
        case .binary(let bytes):
            ["value": bytes.map { .string(HexText.encode(Array($0.readableBytesView))) } ?? .null]
        default: ["value": value.json()]
        }
    }

    /// JSON has no NaN and no infinity. They become null, which is not a number either, so that the part keeps their
    /// bytes.
    static func number(_ value: Double) -> JSONValue { value.isFinite ? .number(value) : .null }

    static func read(_ part: JSONObject, as type: RemotingType) throws -> RemotingValue {
        let value = part["value"] ?? .null
        switch type {
        case .variant: return .variant(try VariantDocument.read(part))
        case .dateTime:
            guard let days = value.numberValue else { throw DocumentError.shape("days of a dateTime") }
            return .dateTime(DateTime(days: days))
        case .binary where value.isNull: return .binary(nil)
        case .binary:
            guard let bytes = value.stringValue.flatMap({ HexText.decode($0) }) else {
                throw DocumentError.shape("hexadecimal value of a binary")
            }
            return .binary(ByteBuffer(bytes: bytes))
        default: return try RemotingValue(value, as: type)
        }
    }
}

/// A Variant in a document: its code in hexadecimal, and its value or elements.
enum VariantDocument {
    /// Maximum nesting of arrays, the same as in a message.
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

/// The names of types in a document, and in the option that gives the types of parameters.
package enum ValueType {
    /// The types that have no parts. A Variant may have parts, but its code specifies them.
    static let plain: [String: RemotingType] = [
        "integer": .integer, "int64": .int64, "double": .double, "boolean": .boolean, "dateTime": .dateTime,
        "currency": .currency, "decimal": .decimal, "guid": .guid, "ansiString": .ansiString, "utf8String": .utf8String,
        "wideString": .wideString, "xml": .xml, "binary": .binary, "enum": .enumeration(),
    ]
    static let variant = "variant"
    static let structure = "struct"
    static let array = "array"
    /// Bytes of unknown meaning.
    static let bytes = "bytes"
    /// A message inside another message.
    static let message = "message"
    /// Tables or deltas in a Binary.
    static let stream = "stream"

    private static let depth = 8

    static func name(of type: RemotingType) -> String {
        switch type {
        case .integer: "integer"
        case .int64: "int64"
        case .double: "double"
        case .boolean: "boolean"
        case .dateTime: "dateTime"
        case .currency: "currency"
        case .decimal: "decimal"
        case .guid: "guid"
        case .ansiString: "ansiString"
        case .utf8String: "utf8String"
        case .wideString: "wideString"
        case .xml: "xml"
        case .binary: "binary"
        case .enumeration: "enum"
        case .variant: variant
        case .structure: structure
        case .array: array
        }
    }

    /// Parses a list such as `integer,array(struct),name:utf8String`. Returns nil if it is invalid. A type without a
    /// name is named by its number in the list.
    package static func parameters(_ text: String) -> [NamedType]? {
        var types: [NamedType] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let last = parts.last, let type = type(last, depth: depth) else { return nil }
            types.append(NamedType(parts.count == 2 ? String(parts[0]) : "\(types.count + 1)", type))
        }
        return types
    }

    private static func type(_ text: Substring, depth: Int) -> RemotingType? {
        if text.hasPrefix("array("), text.hasSuffix(")"), depth > 0 {
            return type(text.dropFirst("array(".count).dropLast(), depth: depth - 1).map { .array(of: $0) }
        }
        switch text {
        case "variant": return .variant
        case "struct": return .structure("")
        default: return plain[String(text)]
        }
    }
}
