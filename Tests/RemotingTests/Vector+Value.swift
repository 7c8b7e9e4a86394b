// SPDX-License-Identifier: Apache-2.0

import NIOCore

@testable import Remoting

extension Vector.Value {
    struct Unreadable: Error {
        let type: String
    }

    private var text: String {
        get throws {
            guard case .text(let text) = v else { throw Unreadable(type: t) }
            return text
        }
    }

    private var number: Double {
        get throws {
            guard case .number(let number) = v else { throw Unreadable(type: t) }
            return number
        }
    }

    private func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
        guard let value = parse(try text) else { throw Unreadable(type: t) }
        return value
    }

    /// The value that the vector encodes.
    var value: RemotingValue {
        get throws {
            switch t {
            case "Integer": .integer(Int32(try number))
            case "Int64": .int64(try parsed { Int64($0) })
            case "Double": .double(try number)
            case "Boolean": .boolean(try truth)
            case "DateTime": .dateTime(try parsed(Self.dateTime))
            case "Currency": .currency(try parsed(Currency.init))
            case "Decimal": .decimal(try parsed(Decimal96.init))
            case "Guid": .guid(try parsed(GUID.init))
            case "AnsiString": .ansiString(Self.latin1(try text))
            case "Utf8String": .utf8String(try text)
            case "WideString": .wideString(try text)
            case "Xml": .xml(try text)
            case "Binary": .binary(hex.map { ByteBuffer(hex: $0) })
            case "Enum": .enumeration(ordinal ?? -1)
            case "NullArray": .array(nil)
            case "NullStruct": .nullStructure
            case "Array": .array(try (items ?? []).map { try $0.value })
            case "Struct":
                .structure(RemotingStruct(name ?? "", try (fields ?? []).map { .init($0.n ?? "", try $0.value) }))
            case "Variant": .variant(try variant)
            default: throw Unreadable(type: t)
            }
        }
    }

    private var truth: Bool {
        get throws {
            guard case .truth(let truth) = v else { throw Unreadable(type: t) }
            return truth
        }
    }

    private var variant: RemotingVariant {
        get throws {
            switch kind {
            case "empty": .empty
            case "null": .null
            case "error": .error
            case "int8": .int8(Int8(try number))
            case "uint8": .uint8(UInt8(try number))
            case "int16": .int16(Int16(try number))
            case "uint16": .uint16(UInt16(try number))
            case "int32": .int32(Int32(try number))
            case "uint32": .uint32(UInt32(try number))
            case "int64": .int64(try parsed { Int64($0) })
            case "single": .single(Float(try number))
            case "double": .double(try number)
            case "currency": .currency(try parsed(Currency.init))
            case "datetime": .dateTime(try parsed(Self.dateTime))
            case "decimal": .decimal(try parsed(Decimal96.init))
            case "guid": .guid(try parsed(GUID.init))
            case "boolean": .boolean(try truth)
            case "string": .string(try text)
            case "ansistring": .ansiString(Self.latin1(try text))
            case "utf8string": .utf8String(try text)
            case "bytes": .bytes(ByteBuffer(hex: hex ?? ""))
            case "array": .array(try (items ?? []).map { try $0.variant })
            default: throw Unreadable(type: "Variant \(kind ?? "")")
            }
        }
    }

    /// The type to decode, and every struct class in the value.
    func type(into catalog: inout StructCatalog) -> RemotingType {
        switch t {
        case "Array", "NullArray":
            let elements = (items ?? []).map { $0.type(into: &catalog) }
            return .array(of: elements.first ?? Self.named(of ?? ""))
        case "Struct":
            catalog.define(name ?? "", (fields ?? []).map { .init($0.n ?? "", $0.type(into: &catalog)) })
            return .structure(name ?? "")
        case "NullStruct": return .structure(name ?? "")
        default: return Self.named(t)
        }
    }

    private static func named(_ name: String) -> RemotingType {
        switch name {
        case "Integer": .integer
        case "Int64": .int64
        case "Double": .double
        case "Boolean": .boolean
        case "DateTime": .dateTime
        case "Currency": .currency
        case "Decimal": .decimal
        case "Guid": .guid
        case "AnsiString": .ansiString
        case "Utf8String": .utf8String
        case "WideString": .wideString
        case "Xml": .xml
        case "Binary": .binary
        case "Variant": .variant
        case "Enum": .enumeration(names: ["Ascending", "Descending"])
        default: .structure(name)
        }
    }

    private static func latin1(_ text: String) -> AnsiString {
        AnsiString(bytes: text.unicodeScalars.map { UInt8($0.value) })
    }

    /// Parses `2020-01-02T03:04:05` by the civil calendar.
    private static func dateTime(_ text: String) -> DateTime? {
        let parts = text.split { "-T:".contains($0) }.compactMap { Int64($0) }
        guard parts.count == 6 else { return nil }
        let shifted: (year: Int64, month: Int64) =
            parts[1] <= 2 ? (year: parts[0] - 1, month: parts[1] + 9) : (parts[0], parts[1] - 3)
        let days =
            365 * shifted.year + shifted.year / 4 - shifted.year / 100 + shifted.year / 400
            + (153 * shifted.month + 2) / 5 + parts[2] - 1 - 719_468
        return DateTime(unixMilliseconds: (((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5]) * 1000)
    }
}
