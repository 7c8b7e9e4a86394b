// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension BinMessageReader {
    /// Reads a value of a type known to the caller; struct classes are looked up in the catalog.
    ///
    /// - Throws: `malformed`, also for an unknown class or nesting beyond `limits.depth`.
    package mutating func readValue(
        _ type: RemotingType,
        _ catalog: StructCatalog = StructCatalog()
    )
        throws(RemotingError) -> RemotingValue
    {
        try readValue(type, catalog, depth: limits.depth)
    }

    package mutating func readVariant() throws(RemotingError) -> RemotingVariant {
        try readVariant(depth: limits.depth)
    }

    private mutating func readValue(
        _ type: RemotingType,
        _ catalog: StructCatalog,
        depth: Int
    )
        throws(RemotingError) -> RemotingValue
    {
        switch type {
        case .integer: .integer(try readInt32())
        case .int64: .int64(try readInt64())
        case .double: .double(try readDouble())
        case .boolean: .boolean(try readBool())
        case .dateTime: .dateTime(try readDateTime())
        case .currency: .currency(try readCurrency())
        case .decimal: .decimal(try readDecimal())
        case .guid: .guid(try readGUID())
        case .ansiString: .ansiString(try readAnsi())
        case .utf8String: .utf8String(try readUTF8())
        case .wideString: .wideString(try readWide())
        case .xml: .xml(try readUTF8())
        case .binary: .binary(try readBinary())
        case .variant: .variant(try readVariant(depth: depth))
        case .enumeration: .enumeration(try readInt32())
        case .structure: try readStruct(catalog, depth: try Self.below(depth))
        case .array(let element): .array(try readArray(of: element, catalog, depth: try Self.below(depth)))
        }
    }

    private mutating func readStruct(_ catalog: StructCatalog, depth: Int) throws(RemotingError) -> RemotingValue {
        var none: StructCatalog.Class?
        return try readStruct(catalog, &none, depth: depth)
    }

    /// - Parameter last: the class of the struct before, which is most likely this one's too.
    private mutating func readStruct(
        _ catalog: StructCatalog,
        _ last: inout StructCatalog.Class?,
        depth: Int
    ) throws(RemotingError) -> RemotingValue {
        guard try readAssigned() else { return .nullStructure }
        if let last, skip(last.layout.encodedName) {
            return .structure(RemotingStruct(last.layout, try readFields(last, catalog, depth: depth)))
        }
        let className = try readName(limit: RequestMessage.nameLimit)
        guard let known = catalog[className] else { throw .malformed(reason: "struct of an unknown class") }
        last = known
        return .structure(RemotingStruct(known.layout, try readFields(known, catalog, depth: depth)))
    }

    private mutating func readFields(
        _ known: StructCatalog.Class,
        _ catalog: StructCatalog,
        depth: Int
    ) throws(RemotingError) -> [RemotingValue] {
        _ = try chargeElements(known.types.count, bytesEach: 1)
        var values: [RemotingValue] = []
        values.reserveCapacity(known.types.count)
        for type in known.types { values.append(try readValue(type, catalog, depth: depth)) }
        return values
    }

    private mutating func readArray(
        of element: RemotingType,
        _ catalog: StructCatalog,
        depth: Int
    )
        throws(RemotingError) -> [RemotingValue]?
    {
        guard try readAssigned() else { return nil }
        let count = try readElementCount(bytesEach: element.leastBytes)
        var values: [RemotingValue] = []
        // What is reserved comes out of the message's allowance of elements.
        values.reserveCapacity(count)
        guard case .structure = element else {
            for _ in 0..<count { values.append(try readValue(element, catalog, depth: depth)) }
            return values
        }
        var known: StructCatalog.Class?
        let inner = try Self.below(depth)
        for _ in 0..<count { values.append(try readStruct(catalog, &known, depth: inner)) }
        return values
    }

    private mutating func readVariant(depth: Int) throws(RemotingError) -> RemotingVariant {
        let code = try readInt32()
        switch code {
        case 0x0000: return .empty
        case 0x0001: return .null
        case 0x0002: return .int16(try readInteger())
        case 0x0003: return .int32(try readInteger())
        case 0x0004: return .single(Float(bitPattern: try readInteger()))
        case 0x0005: return .double(try readDouble())
        case 0x0006: return .currency(try readCurrency())
        case 0x0007: return .dateTime(try readDateTime())
        case 0x0008: return .string(try readUTF8())
        case 0x000A: return .error
        case 0x000B: return .boolean(try readBool())
        case 0x000E: return .decimal(try readDecimal())
        case 0x0010: return .int8(try readInteger())
        case 0x0011: return .uint8(try readInteger())
        case 0x0012: return .uint16(try readInteger())
        case 0x0013: return .uint32(try readInteger())
        case 0x0014: return .int64(try readInteger())
        case 0x0072: return .guid(try readGUID())
        case 0x0100: return .ansiString(try readAnsi())
        case 0x0102: return .utf8String(try readUTF8())
        case VariantCode.byteArray: return .bytes(try readCounted())
        case let code where code & VariantCode.arrayBit != 0:
            return try readVariantArray(code: code, depth: try Self.below(depth))
        default: throw .malformed(reason: "unknown Variant code")
        }
    }

    private mutating func readVariantArray(code: Int32, depth: Int) throws(RemotingError) -> RemotingVariant {
        let low = try readInt32()
        let high = try readInt32()
        let count = try chargeElements(Int(high) - Int(low) + 1, bytesEach: RemotingType.variant.leastBytes)
        var elements: [RemotingVariant] = []
        for _ in 0..<count { elements.append(try readVariant(depth: depth)) }
        return .array(code: code, low: low, elements)
    }

    private static func below(_ depth: Int) throws(RemotingError) -> Int {
        guard depth > 0 else { throw .malformed(reason: "nested too deeply") }
        return depth - 1
    }
}
