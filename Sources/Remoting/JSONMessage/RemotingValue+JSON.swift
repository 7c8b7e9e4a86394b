// SPDX-License-Identifier: Apache-2.0

package import JSON
import NIOCore
import Platform

extension RemotingValue {
    /// The value in a JSON message.
    ///
    /// - Parameters:
    ///   - type: names the values of an enumeration, which are numbers without it.
    ///   - catalog: gives the types of fields.
    package func json(as type: RemotingType? = nil, _ catalog: StructCatalog = StructCatalog()) -> JSONValue {
        switch self {
        case .integer(let value): .integer(Int64(value))
        case .int64(let value): .integer(value)
        case .double(let value): .number(value)
        case .boolean(let value): .bool(value)
        case .dateTime(let value): value.text.map { .string($0) } ?? .null
        case .currency(let value): .string(value.description)
        case .decimal(let value): .string(value.description)
        case .guid(let value): .string(value.text)
        case .ansiString(let value): .string(value.text)
        case .utf8String(let value), .wideString(let value), .xml(let value): .string(value)
        case .binary(let value): value.map { .string(Base64.encode(Array($0.readableBytesView))) } ?? .null
        case .variant(let value): value.json
        case .enumeration(let ordinal): Self.json(enumeration: ordinal, type)
        case .nullStructure, .array(nil): .null
        case .structure(let value): .object(value.json(catalog))
        case .array(let elements?): .array(Self.json(elements, type, catalog))
        }
    }

    private static func json(enumeration ordinal: Int32, _ type: RemotingType?) -> JSONValue {
        guard case .enumeration(let names) = type, names.indices.contains(Int(ordinal)) else {
            return .integer(Int64(ordinal))
        }
        return .string(names[Int(ordinal)])
    }

    private static func json(
        _ elements: [RemotingValue],
        _ type: RemotingType?,
        _ catalog: StructCatalog
    ) -> [JSONValue] {
        var element: RemotingType?
        if case .array(let type) = type { element = type }
        return elements.map { $0.json(as: element, catalog) }
    }
}

extension RemotingStruct {
    fileprivate func json(_ catalog: StructCatalog) -> JSONObject {
        var object = JSONObject(fields, declared: catalog.fields(of: className) ?? [], catalog)
        object[JSONStruct.classKey] = .string(className)
        return object
    }
}

extension RemotingVariant {
    /// JSON knows fewer types: what it lacks goes as text, and `empty`, `null` and `error` all as null.
    fileprivate var json: JSONValue {
        switch self {
        case .empty, .null, .error: .null
        case .int8(let value): .integer(Int64(value))
        case .uint8(let value): .integer(Int64(value))
        case .int16(let value): .integer(Int64(value))
        case .uint16(let value): .integer(Int64(value))
        case .int32(let value): .integer(Int64(value))
        case .uint32(let value): .integer(Int64(value))
        case .int64(let value): .integer(value)
        case .single(let value): .number(Double(value))
        case .double(let value): .number(value)
        case .currency(let value): RemotingValue.currency(value).json()
        case .dateTime(let value): RemotingValue.dateTime(value).json()
        case .decimal(let value): RemotingValue.decimal(value).json()
        case .guid(let value): RemotingValue.guid(value).json()
        case .boolean(let value): .bool(value)
        case .string(let value), .utf8String(let value): .string(value)
        case .ansiString(let value): .string(value.text)
        case .bytes(let value): RemotingValue.binary(value).json()
        case .array(_, _, let elements): .array(elements.map(\.json))
        }
    }
}
