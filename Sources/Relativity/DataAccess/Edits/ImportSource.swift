// SPDX-License-Identifier: Apache-2.0

import Glibc
package import JSON

/// A row of a file that is imported.
package struct ImportRecord: Hashable, Sendable {
    /// The line on which the record begins, from 1.
    package let line: Int
    /// The names of the fields, each once.
    package let names: [String]
    /// A value for each name.
    package let values: [FieldText]
}

/// The reason why a file cannot be read, or not further. Lines count from 1.
package enum ImportSourceError: Error, Hashable, Sendable {
    /// A call of the system failed.
    case system(errno: Int32)
    /// A record is longer than the limit of the source, or has more than `ImportSource.mostFields` fields.
    case tooLarge(line: Int)
    /// Something follows a CSV text in quotes, or a quote is inside of a text without quotes.
    case badQuotes(line: Int)
    /// A CSV text in quotes, which begins on this line, does not end.
    case openQuote(line: Int)
    /// A record has another number of fields than the heading.
    case fieldCount(line: Int, found: Int, expected: Int)
    /// The bytes are not UTF-8.
    case notUTF8(line: Int)
    /// The file has no heading, or the heading has an empty name or the same name twice.
    case badHeading
    /// There is no object of JSON with simple values.
    case badObject(line: Int, ObjectFault)
    /// The file ends inside of an array of JSON.
    case openArray(line: Int)
}

/// The reason why a text is no object of JSON with simple values.
package enum ObjectFault: Hashable, Sendable {
    /// Something else begins here, such as a line of CSV.
    case notAnObject
    /// The value of this name is an array or an object.
    case nested(String)
    /// The text is not JSON, or the object has a name twice.
    case syntax(JSONSyntaxError.Reason)
}

/// The format of a file to import.
package struct ImportFormat: Hashable, Sendable {
    /// The kind of text.
    package enum Kind: Hashable, Sendable {
        /// RFC 4180, in UTF-8, with a heading.
        case csv
        /// An array of objects, or objects one after the other, as in JSONL.
        case json
    }

    /// The kind of text; nil for JSON if the first character is `{` or `[`, otherwise CSV.
    package var kind: Kind?
    /// In CSV, the text without quotes that is NULL. If nil, nothing between two commas is NULL, and `""` is the empty text.
    package var nullText: String?
    /// In CSV, the byte between two fields; nil for that of a line `sep=;` at the beginning, otherwise `usualDelimiter`.
    package var delimiter: UInt8?
    /// In CSV, the byte between two fields if nothing else is known.
    package var usualDelimiter = UInt8(ascii: ",")

    /// Creates a format: CSV with commas, or JSON, as the first character says.
    package init(_ kind: Kind? = nil) {
        self.kind = kind
    }
}

/// Reads records of a file in one pass, in constant memory.
package struct ImportSource {
    /// The maximum number of fields of a record.
    package static let mostFields = 4_096

    /// One of them is nil.
    private var (csv, objects): (CSVReader?, JSONObjectReader?)
    /// The names in the heading of a CSV file; empty for other formats.
    package private(set) var heading: [String] = []
    /// The byte between two fields of CSV; nil for other formats.
    package private(set) var delimiter: UInt8?

    /// Creates a source. It does not close the descriptor.
    ///
    /// - Parameter mostBytes: the maximum length of a record in bytes.
    /// - Throws: for CSV the errors of the heading.
    package init(
        _ descriptor: Int32,
        _ format: ImportFormat,
        mostBytes: Int = 16 << 20
    ) throws(ImportSourceError) {
        try self.init(descriptor, format, mostBytes: mostBytes, bufferBytes: 256 << 10)
    }

    /// - Parameter bufferBytes: the bytes that are read at a time.
    init(
        _ descriptor: Int32,
        _ format: ImportFormat,
        mostBytes: Int,
        bufferBytes: Int
    ) throws(ImportSourceError) {
        var window = ByteWindow(descriptor, step: bufferBytes)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if try window.starts(with: mark) { window.take(mark.count) }
        let kind = if let kind = format.kind { kind } else { try Self.kind(of: &window, mostBytes) }
        guard kind == .csv else {
            objects = JSONObjectReader(window, mostBytes: mostBytes)
            return
        }
        var csv = try CSVReader(
            window,
            delimiter: format.delimiter,
            usual: format.usualDelimiter,
            mostBytes: mostBytes
        )
        guard let first = try csv.next()?.values else { throw .badHeading }
        var names: [String] = []
        for case .text(let name) in first where !name.isEmpty && !names.contains(name) { names.append(name) }
        guard names.count == first.count else { throw .badHeading }
        csv.nullText = Array((format.nullText ?? "").utf8)
        (heading, delimiter, self.csv) = (names, csv.delimiter, csv)
    }

    /// Returns the next record; nil at the end. Empty lines are ignored, unless each record has one field.
    package mutating func next() throws(ImportSourceError) -> ImportRecord? {
        while let record = try csv?.next() {
            if record.isEmptyLine, heading.count > 1 { continue }
            guard record.values.count == heading.count else {
                throw .fieldCount(line: record.line, found: record.values.count, expected: heading.count)
            }
            return ImportRecord(line: record.line, names: heading, values: record.values)
        }
        return try objects?.next()
    }

    /// The kind of a file by its first character that is no space and no line break.
    private static func kind(
        of window: inout ByteWindow,
        _ mostBytes: Int
    ) throws(ImportSourceError) -> ImportFormat.Kind {
        var index = 0
        while index <= mostBytes, let byte = try window.byte(at: index) {
            if byte > 0x20 { return byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") ? .json : .csv }
            index += 1
        }
        return .csv
    }
}

// MARK: Reading twice

extension ImportSource {
    /// A source that reads the same records again, after the other one has read them.
    package struct Repetition {
        fileprivate let source: ImportSource
        fileprivate let descriptor: Int32
        fileprivate let offset: off_t

        /// Returns the source. The other one must not be used any longer.
        ///
        /// - Throws: `system`.
        package func begin() throws(ImportSourceError) -> ImportSource {
            guard lseek(descriptor, offset, SEEK_SET) >= 0 else { throw .system(errno: errno) }
            return source
        }
    }

    /// Prepares a second reading. What is left of a pipe is copied to a file without a name, whose descriptor the caller
    /// closes: the result's `copied`.
    ///
    /// - Parameter directory: of the file.
    /// - Throws: `system`.
    package mutating func repetition(
        in directory: String
    ) throws(ImportSourceError) -> (repetition: Repetition, copied: Int32?) {
        let descriptor = csv?.window.descriptor ?? objects?.window.descriptor ?? -1
        let offset = lseek(descriptor, 0, SEEK_CUR)
        if offset >= 0 { return (Repetition(source: self, descriptor: descriptor, offset: offset), nil) }
        var copied = try csv?.window.copyRest(in: directory)
        if copied == nil { copied = try objects?.window.copyRest(in: directory) }
        guard let copy = copied else { throw .system(errno: EBADF) }
        return (Repetition(source: self, descriptor: copy, offset: 0), copy)
    }
}
