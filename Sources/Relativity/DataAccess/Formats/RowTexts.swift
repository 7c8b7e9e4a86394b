// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Formats the cells of a row as text, in the forms of `TextTableWriter`, without escapes.
package struct RowTexts {
    /// The names of the columns.
    package let names: [String]
    private let layout: OutputColumns

    /// Creates a formatter for rows of a table.
    package init(_ table: TableHead) throws(FormatError) {
        layout = try OutputColumns(table, nil)
        names = layout.columns.map(\.name)
    }

    /// Returns the text of each cell of a row; nil for NULL.
    ///
    /// - Throws: `rowsWithoutTable` if the rows have other columns.
    package func cells(of rows: DataRows, _ index: Int) throws -> [String?] {
        var cells: [String?] = []
        var text = TextBuffer(nil, capacity: 256)
        defer { text.deallocate() }
        try layout.forEach(rows, [index]) { bytes, places in
            for cell in layout.cells {
                text.removeAll()
                let place = places[cell.index]
                if cell.type == .blob || cell.type == .cursor {
                    text.append("<\(place.count) B>")
                } else if !place.isNull {
                    CellText.append(any: bytes, place, cell.type, layout.codePage, to: &text)
                }
                cells.append(place.isNull ? nil : text.withBytes { String(decoding: $0, as: UTF8.self) })
            }
        }
        return cells
    }
}
