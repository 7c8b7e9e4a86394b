// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Writes a table as CSV (RFC 4180): a header, lines that end with CR and LF, fields quoted if they must be. Or as TSV: the
/// same with tabs, and lines that end with LF.
///
/// NULL is nothing, and the empty text and the empty blob are `""`, as in PostgreSQL, unless `FormatOptions.nullText` is
/// set; then a text equal to it is quoted. A DateTime is `2020-01-31T12:00:00` or `2020-01-31T12:00:00.123`, or the text
/// of `DateTime` for a number of days that is no certain time. A Boolean is `true` or `false`, a Currency has four
/// decimals, a Decimal those of its scale, a Float the fewest digits that read back as the same number, a Blob is base64.
package struct CSVWriter: RowConsumer {
    private let sink: OutputSink
    private let options: FormatOptions
    private let null: [UInt8]
    private let separator: UInt8
    private let lineEnd: StaticString
    private var layout: OutputColumns?

    /// Creates a writer.
    ///
    /// - Parameter isTabbed: whether to write TSV.
    package init(_ sink: OutputSink, _ options: FormatOptions = FormatOptions(), isTabbed: Bool = false) {
        self.sink = sink
        self.options = options
        separator = UInt8(ascii: isTabbed ? "\t" : ",")
        lineEnd = isTabbed ? "\n" : "\r\n"
        null = Array((options.nullText ?? "").utf8)
    }

    package mutating func begin(_ table: TableHead) throws {
        guard layout == nil else { throw FormatError.severalTables }
        let layout = try OutputColumns(table, options.columns)
        self.layout = layout
        try sink.write { text in
            for (number, column) in layout.columns.enumerated() {
                if number > 0 { text.append(separator) }
                append(text: column.name, to: &text)
            }
            text.append(lineEnd)
        }
    }

    package mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        try write(rows, indices)
        // The first rows are shown immediately.
        try sink.flush()
    }

    /// Not mutating, so that the loop does not copy `self` for each cell.
    private func write(_ rows: DataRows, _ indices: [Int]?) throws {
        guard let layout else { throw FormatError.rowsWithoutTable }
        let cells = layout.cells
        try sink.write { text in
            try layout.forEach(rows, indices) { bytes, places in
                for number in cells.indices {
                    if number > 0 { text.append(separator) }
                    append(bytes, places[cells[number].index], cells[number].type, layout.codePage, to: &text)
                }
                text.append(lineEnd)
            }
        }
    }

    package mutating func finish() throws { try sink.flush() }

    @inline(__always)
    private func append(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        to text: inout TextBuffer
    ) {
        if place.isNull {
            text.append(null)
        } else if place.count == 0, null.isEmpty {
            text.append("\"\"" as StaticString)
        } else if !null.isEmpty, isNullText(bytes, place, type, page) {
            text.append(UInt8(ascii: "\""))
            null.withUnsafeBytes { text.append(utf8: $0, .csv) }
            text.append(UInt8(ascii: "\""))
        } else if !CellText.append(bytes, place, type, to: &text) {
            append(text: bytes, place, type, page, to: &text)
        }
    }

    /// Whether the text of a cell is that of NULL.
    private func isNullText(
        _ bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage
    ) -> Bool {
        // Each unit of UTF-16 has at least a byte of UTF-8.
        guard !type.isWide || place.count / 2 <= null.count else { return false }
        var text = TextBuffer(nil, capacity: 256)
        defer { text.deallocate() }
        CellText.append(any: bytes, place, type, page, to: &text)
        return text.withBytes { $0.elementsEqual(null) }
    }

    private func append(
        text bytes: UnsafeRawBufferPointer,
        _ place: CellPlace,
        _ type: DataType,
        _ page: CodePage,
        to text: inout TextBuffer
    ) {
        if options.terminal != nil {
            append(text: CellText.string(bytes, place, type, page), to: &text)
            return
        }
        let content = CellText.content(bytes, place)
        let isQuoted = type.isWide ? needsQuotes(utf16: content) : needsQuotes(content)
        if isQuoted { text.append(UInt8(ascii: "\"")) }
        CellText.append(text: bytes, place, type, page, isQuoted ? .csv : .none, to: &text)
        if isQuoted { text.append(UInt8(ascii: "\"")) }
    }

    /// Appends text that is not from a cell's bytes.
    private func append(text string: String, to text: inout TextBuffer) {
        var string = options.terminal?.escape(string, .max) ?? string
        string.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let isQuoted = needsQuotes(bytes)
            if isQuoted { text.append(UInt8(ascii: "\"")) }
            text.append(utf8: bytes, isQuoted ? .csv : .none)
            if isQuoted { text.append(UInt8(ascii: "\"")) }
        }
    }

    private func needsQuotes(_ character: UInt16) -> Bool {
        // Quotation mark, CR, LF.
        character == UInt16(separator) || character == 0x22 || character == 0x0D || character == 0x0A
    }

    private func needsQuotes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isSpecial = false
        for byte in bytes { isSpecial = isSpecial || needsQuotes(UInt16(byte)) }
        return isSpecial || bytes.count == null.count && bytes.elementsEqual(null)
    }

    private func needsQuotes(utf16 bytes: UnsafeRawBufferPointer) -> Bool {
        var isSpecial = false
        for position in stride(from: 0, to: bytes.count & ~1, by: 2) {
            let unit = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self))
            isSpecial = isSpecial || needsQuotes(unit)
        }
        return isSpecial
    }
}
