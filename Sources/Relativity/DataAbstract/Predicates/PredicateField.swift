// SPDX-License-Identifier: Apache-2.0

import Platform

extension [DataColumn] {
    /// Finds a field by its name (`NameMatch`).
    ///
    /// - Throws: `unknownField`, `ambiguousField`.
    func resolve(_ name: String) throws(PredicateError) -> PredicateField {
        let names = lazy.map(\.name)
        switch NameMatch(name, in: names) {
        case .found(let index): return PredicateField(self[index], index)
        case .ambiguous: throw .ambiguousField(name)
        case .unknown: throw .unknownField(UnknownName(name, among: names))
        }
    }
}

/// A field that was found.
struct PredicateField: Hashable, Sendable {
    let name: String
    let type: DataType
    /// The index of the column.
    let column: Int
    /// The code page of 8-bit text if a user has chosen one; otherwise nil.
    let codePage: CodePage?

    init(_ column: DataColumn, _ index: Int) {
        name = column.name
        type = column.type
        self.column = index
        codePage = column.isInChosenCodePage ? column.codePage : nil
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
    /// The name without `dat`, as in a constant of a where clause.
    package var shortName: String { String(name.dropFirst("dat".count)) }

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

    /// Whether values are texts; those of Guids and XML are.
    package var isText: Bool { valueClass == .text }

    /// Whether values are numbers.
    package var isNumber: Bool { valueClass == .number && self != .boolean }

    /// Whether values are whole numbers.
    package var isWholeNumber: Bool { wholeNumbers != nil }

    /// Whole numbers, and the least and the greatest value that the type can hold.
    package var wholeNumbers: ClosedRange<Int128>? {
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
