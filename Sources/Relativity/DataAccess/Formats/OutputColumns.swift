// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// A column that is written.
package struct OutputColumn: Sendable {
    /// The name in the output, different from the names of all other columns.
    package let name: String
    /// The type of the values.
    package let type: DataType
    /// The index in the rows.
    let index: Int
    /// Whether the field is part of the key; nil if the reply has no schema.
    package let isInPrimaryKey: Bool?
    /// Whether a value is required; nil if the reply has no schema.
    package let isRequired: Bool?
}

/// The columns of a table that are written, and the way to their cells.
struct OutputColumns: Sendable {
    /// A column without its name, for loops over cells: no reference is counted.
    struct Cell: Sendable {
        /// The index in the rows.
        let index: Int
        let type: DataType
    }

    let columns: [OutputColumn]
    /// The same columns.
    let cells: [Cell]
    /// The code page of 8-bit text.
    let codePage: CodePage
    private let types: [DataType]
    private let locator: CellLocator

    /// - Parameter names: the columns to write, in order; nil for all. `NameMatch` finds them.
    /// - Throws: `noColumn`.
    init(_ head: TableHead, _ names: [String]?) throws(FormatError) {
        types = head.columns.map(\.type)
        codePage = head.columns.lazy.compactMap(\.codePage).first ?? .latin1
        locator = CellLocator(types)
        var indices = Array(head.columns.indices)
        if let names {
            indices = []
            for name in names {
                guard let column = NameMatch(name, in: head.columns.lazy.map(\.name)).index else {
                    throw .noColumn(name)
                }
                indices.append(column)
            }
        }
        var used: Set<NameKey> = []
        columns = indices.map { index in
            let column = head.columns[index]
            let field = head.schema.flatMap { $0.fields.indices.contains(index) ? $0.fields[index] : nil }
            return OutputColumn(
                name: Self.unique(column.name, &used),
                type: column.type,
                index: index,
                isInPrimaryKey: head.schema == nil ? nil : field?.isInPrimaryKey ?? false,
                isRequired: head.schema == nil ? nil : field?.isRequired ?? false
            )
        }
        cells = columns.map { Cell(index: $0.index, type: $0.type) }
    }

    /// Returns the columns that identify a row, as indexes in `columns`; empty if there are none.
    ///
    /// - Parameter names: the names of the columns, in any case; nil for the primary key of the schema.
    /// - Throws: `noColumn`.
    func key(_ names: [String]?) throws(FormatError) -> [Int] {
        guard let names else { return columns.indices.filter { columns[$0].isInPrimaryKey == true } }
        return try names.map { name throws(FormatError) in
            let index = columns.firstIndex { NameMatch.isSimilar($0.name, name) }
            guard let index else { throw .noColumn(name) }
            return index
        }
    }

    /// Appends `_2`, `_3` and so on to a name that is in use. SQLite ignores the case of ASCII letters.
    static func unique(_ name: String, _ used: inout Set<NameKey>) -> String {
        let unique = unique(name, used)
        used.insert(NameKey(unique))
        return unique
    }

    /// Returns the name that differs from all used ones.
    static func unique(_ name: String, _ used: Set<NameKey>) -> String {
        var candidate = name
        var number = 2
        while used.contains(NameKey(candidate)) {
            candidate = "\(name)_\(number)"
            number += 1
        }
        return candidate
    }

    /// Lends the cells of each row.
    ///
    /// - Parameters:
    ///   - indices: the rows; nil for all.
    ///   - body: receives the bytes, and the places of the cells of all columns of the table.
    /// - Throws: `rowsWithoutTable` if the rows have other columns, or the error of `body`.
    @inline(__always)
    func forEach(
        _ rows: DataRows,
        _ indices: [Int]?,
        _ body: (UnsafeRawBufferPointer, UnsafeMutableBufferPointer<CellPlace>) throws -> Void
    ) throws {
        guard rows.types == types else { throw FormatError.rowsWithoutTable }
        try rows.withCells { bytes, starts in
            try withUnsafeTemporaryAllocation(of: CellPlace.self, capacity: types.count) { places in
                places.initialize(repeating: .null)
                for index in 0..<(indices?.count ?? starts.count) {
                    locator.locate(in: bytes, row: Int(starts[indices?[index] ?? index]), places)
                    try body(bytes, places)
                }
            }
        }
    }
}
