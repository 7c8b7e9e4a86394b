// SPDX-License-Identifier: Apache-2.0

package import JSON
import NIOCore
import Platform

extension RemotingValue {
    /// Returns the value as JSON (docs/wire.md, "Values as JSON").
    ///
    /// - Parameters:
    ///   - type: names the values of an enumeration, which are written as numbers without it.
    ///   - catalog: contains the types of fields.
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
    /// JSON has fewer types. Types that it lacks are written as text; `empty`, `null` and `error` are all written as
    /// null.
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

extension RemotingValue {
    /// Decodes JSON as the declared type. A null string becomes an empty one, because a BinMessage has no null strings.
    ///
    /// - Throws: `malformed` for a value of another type, and for a struct of an unknown class.
    package init(
        _ json: JSONValue,
        as type: RemotingType,
        _ catalog: StructCatalog = StructCatalog()
    ) throws(RemotingError) {
        guard let value = try Self.read(json, as: type, catalog) else {
            throw .malformed(reason: "a JSON value is not of the type declared")
        }
        self = value
    }

    private static func read(
        _ json: JSONValue,
        as type: RemotingType,
        _ catalog: StructCatalog
    ) throws(RemotingError) -> RemotingValue? {
        switch type {
        case .integer: return json.wholeNumber.flatMap(Int32.init(exactly:)).map { .integer($0) }
        case .int64: return (json.wholeNumber ?? json.stringValue.flatMap { Int64($0) }).map { .int64($0) }
        case .double: return json.numberValue.map { .double($0) }
        case .boolean: return json.boolValue.map { .boolean($0) }
        case .dateTime: return json.stringValue.flatMap { DateTime($0) }.flatMap { $0.isCertain ? .dateTime($0) : nil }
        case .currency: return json.decimalText.flatMap(Currency.init).map { .currency($0) }
        case .decimal: return json.decimalText.flatMap { Decimal96($0) }.map { .decimal($0) }
        case .guid: return json.stringValue.flatMap { GUID($0) }.map { .guid($0) }
        case .ansiString: return json.text.map { .ansiString(AnsiString(bytes: Array($0.utf8))) }
        case .utf8String: return json.text.map { .utf8String($0) }
        case .wideString: return json.text.map { .wideString($0) }
        case .xml: return json.text.map { .xml($0) }
        case .binary where json.isNull: return .binary(nil)
        case .binary: return json.stringValue.flatMap { Base64.decode($0) }.map { .binary(ByteBuffer(bytes: $0)) }
        case .variant: return RemotingVariant(json).map { .variant($0) }
        case .enumeration(let names): return ordinal(json, names).map { .enumeration($0) }
        case .structure(let declared): return try structure(json, declared, catalog)
        case .array where json.isNull: return .array(nil)
        case .array(let element):
            guard let elements = json.arrayValue else { return nil }
            var values: [RemotingValue] = []
            for json in elements { values.append(try RemotingValue(json, as: element, catalog)) }
            return .array(values)
        }
    }

    private static func ordinal(_ json: JSONValue, _ names: [String]) -> Int32? {
        guard let name = json.stringValue?.lowercased() else { return json.wholeNumber.flatMap(Int32.init(exactly:)) }
        return names.firstIndex { $0.lowercased() == name }.map { Int32(clamping: $0) }
    }

    /// The class in the object overrides the declared one, because it may be a descendant.
    private static func structure(
        _ json: JSONValue,
        _ declared: String,
        _ catalog: StructCatalog
    ) throws(RemotingError) -> RemotingValue? {
        guard !json.isNull else { return .nullStructure }
        guard let object = json.objectValue else { return nil }
        let className = object[JSONStruct.classKey]?.stringValue ?? declared
        guard let known = catalog[className], let fields = catalog.fields(of: className) else {
            throw .malformed(reason: "struct of an unknown class")
        }
        return .structure(RemotingStruct(known.layout, try object.values(fields, catalog)))
    }
}

extension RemotingVariant {
    /// The narrowest type that the vendor's client would send, because JSON does not contain the type. Nil for an
    /// object.
    fileprivate init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .boolean(value)
        case .integer(let value): self = Int32(exactly: value).map { .int32($0) } ?? .int64(value)
        case .number(let value): self = .double(value)
        case .digits(let text):
            guard let value = Double(text) else { return nil }
            self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let elements):
            let variants = elements.compactMap { RemotingVariant($0) }
            guard variants.count == elements.count else { return nil }
            self = .array(variants)
        case .object: return nil
        }
    }
}

extension JSONValue {
    /// An integer, also if it is written with a decimal point.
    fileprivate var wholeNumber: Int64? {
        integerValue ?? numberValue.flatMap { Int64(exactly: $0) }
    }

    fileprivate var text: String? { isNull ? "" : stringValue }

    /// The digits of a number. It may be written as a string, to keep digits beyond the precision of a double.
    fileprivate var decimalText: String? {
        stringValue ?? integerValue?.description ?? numberValue?.description
    }
}

/// Keys of structs in JSON, which contain their fields by name and their class.
enum JSONStruct {
    static let classKey = "__type"
}

extension JSONObject {
    /// Decodes the declared members, in the order of the declaration. Other members are ignored.
    ///
    /// - Throws: `malformed` if a member is missing or of another type.
    package func values(
        _ declared: [NamedType],
        _ catalog: StructCatalog = StructCatalog()
    ) throws(RemotingError) -> [RemotingValue] {
        var values: [RemotingValue] = []
        for named in declared {
            guard let member = self[named.name] else { throw .malformed(reason: "\(named.name) is missing") }
            values.append(try RemotingValue(member, as: named.type, catalog))
        }
        return values
    }

    /// Encodes parameters by name.
    ///
    /// - Parameter declared: names the values of enumerations, which are written as numbers without it.
    package init(_ values: [NamedValue], declared: [NamedType] = [], _ catalog: StructCatalog = StructCatalog()) {
        self.init(
            values.map { named in
                (named.name, named.value.json(as: declared.first { $0.name == named.name }?.type, catalog))
            }
        )
    }
}
