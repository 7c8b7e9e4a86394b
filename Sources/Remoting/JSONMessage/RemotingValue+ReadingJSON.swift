// SPDX-License-Identifier: Apache-2.0

package import JSON
import NIOCore
import Platform

extension RemotingValue {
    /// Reads a member of a JSON message as the type that was declared for it. A null string is read as an empty one,
    /// because a BinMessage has no other.
    ///
    /// - Throws: `malformed` for another shape, and for a struct of an unknown class.
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
        case .int64: return json.wholeNumber.map { .int64($0) }
        case .double: return json.numberValue.map { .double($0) }
        case .boolean: return json.boolValue.map { .boolean($0) }
        case .dateTime: return json.stringValue.flatMap(DateTime.init).map { .dateTime($0) }
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

    /// The class in the object overrides the declared one: it may be a descendant.
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
    /// The narrowest of the types that the vendor's client sends: JSON does not say more. An object is none.
    fileprivate init?(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .boolean(value)
        case .integer(let value): self = Int32(exactly: value).map { .int32($0) } ?? .int64(value)
        case .number(let value): self = .double(value)
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
    /// A number without a fraction, also one that is written with a decimal point.
    fileprivate var wholeNumber: Int64? {
        integerValue ?? numberValue.flatMap { Int64(exactly: $0) }
    }

    fileprivate var text: String? { isNull ? "" : stringValue }

    /// The digits of a number, which may stand in a string for the sake of those beyond a double.
    fileprivate var decimalText: String? {
        stringValue ?? integerValue?.description ?? numberValue?.description
    }
}
