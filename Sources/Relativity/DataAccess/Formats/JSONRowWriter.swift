// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import JSON

/// Writes a table as JSON: each row is an object by column name. A name that occurs twice gets a suffix: `Name_2`.
///
/// A number is a JSON number with all its digits, or text as `FormatOptions.numbersAsText` says. The forms of other
/// types are those of `CSVWriter`, as JSON strings. A Float that is NaN or infinite is an error.
package struct JSONRowWriter: RowConsumer {
    /// The arrangement of the rows.
    package enum Form: Sendable {
        /// One array, a row in each line.
        case array
        /// One object in each line (JSON Lines).
        case lines
        /// One object with `schemaVersion`, `fields`, `rows` and `evaluated`.
        case object
    }

    /// The value of `evaluated` in the form `object`. Set it before `finish`.
    package var evaluated: JSONValue = [:]
    /// More members of the form `object`. Set them before `finish`.
    package var members: JSONObject = [:]

    private let sink: OutputSink
    private let options: FormatOptions
    private let form: Form
    private let values: JSONValues
    private var layout: OutputColumns?
    /// For each column, the text before its value.
    private var prefixes: [[UInt8]] = []
    private var rowCount = 0

    /// Creates a writer.
    package init(_ sink: OutputSink, _ form: Form, _ options: FormatOptions = FormatOptions()) {
        self.sink = sink
        self.form = form
        self.options = options
        values = JSONValues(options)
    }

    package mutating func begin(_ table: TableHead) throws {
        guard layout == nil else { throw FormatError.severalTables }
        let layout = try OutputColumns(table, options.columns)
        self.layout = layout
        prefixes = try layout.columns.enumerated().map { number, column in
            let names = OutputSink()
            try names.write { text in
                text.append(UInt8(ascii: number == 0 ? "{" : ","))
                values.append(string: column.name, to: &text)
                text.append(UInt8(ascii: ":"))
            }
            return names.takeBytes()
        }
        try open(fields: layout.columns)
    }

    private func open(fields: [OutputColumn]) throws {
        try sink.write { text in
            switch form {
            case .array: text.append(UInt8(ascii: "["))
            case .lines: break
            case .object:
                text.append("{\"schemaVersion\":1,\"fields\":[" as StaticString)
                for (number, column) in fields.enumerated() {
                    text.append(number == 0 ? "{\"name\":" : ",{\"name\":" as StaticString)
                    values.append(string: column.name, to: &text)
                    text.append(",\"type\":\"" as StaticString)
                    text.append(column.type.shortName)
                    let (isKey, isRequired) = (column.isInPrimaryKey == true, column.isRequired == true)
                    text.append(isKey ? "\",\"key\":true" : "\",\"key\":false" as StaticString)
                    text.append(isRequired ? ",\"required\":true}" : ",\"required\":false}" as StaticString)
                }
                text.append("],\"rows\":[" as StaticString)
            }
        }
    }

    package mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        rowCount = try write(rows, indices)
        // The first rows are shown immediately.
        try sink.flush()
    }

    /// Not mutating, so that the loop does not copy `self` for each cell.
    ///
    /// - Returns: the number of rows so far.
    private func write(_ rows: DataRows, _ indices: [Int]?) throws -> Int {
        guard let layout else { throw FormatError.rowsWithoutTable }
        let (cells, values) = (layout.cells, values)
        var count = rowCount
        try sink.write { text in
            try layout.forEach(rows, indices) { bytes, places in
                count += 1
                if form != .lines { text.append(count == 1 ? "\n" : ",\n" as StaticString) }
                if cells.isEmpty { text.append(UInt8(ascii: "{")) }
                for number in cells.indices {
                    text.append(prefixes[number])
                    guard
                        values.append(
                            bytes,
                            places[cells[number].index],
                            cells[number].type,
                            layout.codePage,
                            to: &text
                        )
                    else {
                        throw FormatError.notANumber(column: layout.columns[number].name, row: count)
                    }
                }
                text.append(UInt8(ascii: "}"))
                if form == .lines { text.append(UInt8(ascii: "\n")) }
            }
        }
        return count
    }

    package mutating func finish() throws {
        if layout == nil { try open(fields: []) }
        try sink.write { text in
            switch form {
            case .array: text.append(rowCount == 0 ? "]\n" : "\n]\n" as StaticString)
            case .lines: break
            case .object:
                text.append(rowCount == 0 ? "],\"evaluated\":" : "\n],\"evaluated\":" as StaticString)
                values.append(json: evaluated, to: &text)
                for (name, value) in members {
                    text.append(UInt8(ascii: ","))
                    values.append(string: name, to: &text)
                    text.append(UInt8(ascii: ":"))
                    values.append(json: value, to: &text)
                }
                text.append("}\n" as StaticString)
            }
        }
        try sink.flush()
    }
}
