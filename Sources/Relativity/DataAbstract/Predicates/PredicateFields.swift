// SPDX-License-Identifier: Apache-2.0

/// The fields that a predicate may name, in the order of the columns.
public struct PredicateFields: Hashable, Sendable {
    /// The names and types.
    public let columns: [DataColumn]

    /// The fields of a decoded table.
    public init(_ columns: [DataColumn]) {
        self.columns = columns
    }

    /// The fields of a schema. A field with an unknown type can only be tested for NULL.
    public init(_ schema: TableSchema) {
        columns = schema.fields.map { DataColumn($0.name ?? "", $0.type ?? .unknown) }
    }

    /// Finds a field by its exact name, otherwise by a name that differs only in the case of ASCII letters.
    ///
    /// - Throws: `unknownField`, `ambiguousField`.
    func resolve(_ name: String) throws(PredicateError) -> PredicateField {
        // Swift treats canonically equivalent texts as equal, servers do not.
        let bytes = Array(name.utf8)
        let isExact = { (column: DataColumn) in column.name.utf8.elementsEqual(bytes) }
        if let index = columns.firstIndex(where: isExact) { return PredicateField(columns[index], index) }
        let folded = bytes.map(Self.lowercased)
        let similar = columns.indices.filter { columns[$0].name.utf8.lazy.map(Self.lowercased).elementsEqual(folded) }
        guard let index = similar.first else { throw .unknownField(name) }
        guard similar.count == 1 else { throw .ambiguousField(name) }
        return PredicateField(columns[index], index)
    }

    /// Whether two names differ at most in the case of ASCII letters.
    package static func isSimilar(_ left: String, _ right: String) -> Bool {
        left.utf8.lazy.map(lowercased).elementsEqual(right.utf8.lazy.map(lowercased))
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// A field that was found.
struct PredicateField: Hashable, Sendable {
    let name: String
    let type: DataType
    /// The index of the column.
    let column: Int

    init(_ column: DataColumn, _ index: Int) {
        name = column.name
        type = column.type
        self.column = index
    }
}

/// The values with which a field can be compared.
enum PredicateValueClass {
    case number
    case text
    case date
    /// Only NULL tests apply.
    case other
}

extension DataType {
    var valueClass: PredicateValueClass {
        switch self {
        case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal, .largeUInt,
            .boolean, .float, .singleFloat, .currency, .decimal:
            .number
        case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml, .guid: .text
        case .dateTime: .date
        case .unknown, .blob, .cursor: .other
        }
    }

    /// Whole numbers, and the least and the greatest value that the type can hold.
    var wholeNumbers: ClosedRange<Int128>? {
        func range<Integer: FixedWidthInteger>(_: Integer.Type) -> ClosedRange<Int128> {
            Int128(Integer.min)...Int128(Integer.max)
        }
        return switch self {
        case .byte: range(UInt8.self)
        case .shortInt: range(Int8.self)
        case .word: range(UInt16.self)
        case .smallInt: range(Int16.self)
        case .integer, .autoInc: range(Int32.self)
        case .cardinal: range(UInt32.self)
        case .largeInt, .largeAutoInc: range(Int64.self)
        case .largeUInt: range(UInt64.self)
        default: nil
        }
    }
}
