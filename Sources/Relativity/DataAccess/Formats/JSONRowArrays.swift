// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Formats batches of rows as JSON arrays without names. The values have the forms of `JSONRowWriter`.
package struct JSONRowArrays {
    /// The columns, in the order of the values.
    package var columns: [OutputColumn] { layout.columns }
    private let layout: OutputColumns
    private let values: JSONValues
    private let sink = OutputSink()
    private var rowCount = 0

    /// Creates a formatter for the rows of a table.
    ///
    /// - Throws: `noColumn`.
    package init(_ table: TableHead, _ options: FormatOptions = FormatOptions()) throws(FormatError) {
        layout = try OutputColumns(table, options.columns)
        values = JSONValues(options)
    }

    /// The bytes after which a text has no further row.
    private static let mostBytes = 1 << 20
    /// The maximum bytes of a row. A character may take six, and a field may be selected several times.
    private static let rowBytes = 64 << 20

    /// Returns one JSON array that has an array for each of the first rows, as many as fit.
    ///
    /// - Parameters:
    ///   - left: the rows, ascending. Those of the text are removed, one at least.
    ///   - opening: is before the array.
    ///   - closing: is after the array.
    /// - Throws: `notANumber`; `rowsWithoutTable` if the rows have other columns; `GrowthError.row`.
    package mutating func text(
        of rows: DataRows,
        _ left: inout ArraySlice<Int>,
        opening: String = "",
        closing: String = ""
    ) throws -> [UInt8] {
        var count = rowCount
        let first = count + 1
        defer { left = left.dropFirst(rowCount - first + 1) }
        try sink.write { text in
            text.append(opening)
            text.append(UInt8(ascii: "["))
            try layout.forEach(rows, Array(left)) { bytes, places in
                let start = text.count
                guard start < Self.mostBytes else { return }
                count += 1
                text.append(count == first ? "[" : ",[" as StaticString)
                for (number, cell) in layout.cells.enumerated() {
                    if number > 0 { text.append(UInt8(ascii: ",")) }
                    guard values.append(bytes, places[cell.index], cell.type, layout.codePage, to: &text) else {
                        throw FormatError.notANumber(column: columns[number].name, row: count)
                    }
                    guard text.count - start <= Self.rowBytes else { throw GrowthError.row(limit: Self.rowBytes) }
                }
                text.append(UInt8(ascii: "]"))
            }
            text.append(UInt8(ascii: "]"))
            text.append(closing)
        }
        rowCount = count
        return sink.takeBytes()
    }
}
