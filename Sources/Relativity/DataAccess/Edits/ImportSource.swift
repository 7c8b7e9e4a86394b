// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform

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
    /// A CSV text in quotes does not end, or something follows it, or a quote is inside of a text without quotes.
    case badQuotes(line: Int)
    /// A record has another number of fields than the heading.
    case fieldCount(line: Int, found: Int, expected: Int)
    /// The bytes are not UTF-8.
    case notUTF8(line: Int)
    /// The file has no heading, or the heading has an empty name or the same name twice.
    case badHeading
    /// The line is not an object of JSON without arrays and objects, or has the same name twice.
    case badObject(line: Int)
}

/// Reads records of a file in one pass, in constant memory.
package struct ImportSource {
    /// The format of a file.
    package enum Format: String, Sendable, CaseIterable {
        /// RFC 4180, in UTF-8, with a heading. Nothing between two commas is NULL, and `""` is the empty text.
        case csv
        /// An object on each line.
        case jsonl
    }

    /// The maximum number of fields of a record.
    package static let mostFields = 4_096

    private let mostBytes: Int
    private let format: Format
    private var bytes: ByteSource
    private var line = 1
    /// The names in the heading of a CSV file; empty for other formats.
    package private(set) var heading: [String] = []

    /// Creates a source. It does not close the descriptor.
    ///
    /// - Parameters:
    ///   - format: nil for JSONL if the first character is `{`, otherwise CSV.
    ///   - mostBytes: the maximum length of a record in bytes.
    /// - Throws: for CSV the errors of the heading.
    package init(_ descriptor: Int32, _ format: Format?, mostBytes: Int = 16 << 20) throws(ImportSourceError) {
        try self.init(descriptor, format, mostBytes: mostBytes, bufferBytes: 256 << 10)
    }

    /// - Parameter bufferBytes: the bytes that are read at a time.
    init(_ descriptor: Int32, _ format: Format?, mostBytes: Int, bufferBytes: Int) throws(ImportSourceError) {
        self.mostBytes = mostBytes
        bytes = ByteSource(descriptor, bufferBytes)
        try bytes.skipByteOrderMark()
        let format = format ?? (bytes.firstCharacter == UInt8(ascii: "{") ? .jsonl : .csv)
        self.format = format
        guard format == .csv else { return }
        guard let first = try nextCSV()?.values else { throw .badHeading }
        var names: [String] = []
        for case .text(let name) in first where !name.isEmpty && !names.contains(name) { names.append(name) }
        guard names.count == first.count else { throw .badHeading }
        heading = names
    }

    /// Returns the next record; nil at the end. Empty lines are ignored, unless each record has one field.
    package mutating func next() throws(ImportSourceError) -> ImportRecord? {
        switch format {
        case .csv:
            while let (start, values) = try nextCSV() {
                if values == [.null], heading.count > 1 { continue }
                guard values.count == heading.count else {
                    throw .fieldCount(line: start, found: values.count, expected: heading.count)
                }
                return ImportRecord(line: start, names: heading, values: values)
            }
            return nil
        case .jsonl: return try nextObject()
        }
    }

    // MARK: CSV

    private mutating func nextCSV() throws(ImportSourceError) -> (line: Int, values: [FieldText])? {
        guard var byte = try bytes.next() as UInt8? else { return nil }
        let (start, comma, quote) = (line, UInt8(ascii: ","), UInt8(ascii: "\""))
        let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        var values: [FieldText] = []
        var field: [UInt8] = []
        var size = 0
        var isAtEnd = false
        while true {
            let isQuoted = !isAtEnd && byte == quote
            let text: String?
            let count: Int
            if !isAtEnd, let found = bytes.field(isQuoted: isQuoted) {
                line += found.lineCount
                (text, count, byte) = (found.text, found.size, found.end)
            } else {
                field.removeAll(keepingCapacity: true)
                if isQuoted {
                    while true {
                        guard let next = try bytes.next() else { throw .badQuotes(line: start) }
                        if next == quote {
                            guard let after = try bytes.next() else {
                                isAtEnd = true
                                break
                            }
                            byte = after
                            guard after == quote else { break }
                        } else if next == feed {
                            line += 1
                        }
                        field.append(next)
                        if size + field.count > mostBytes { throw .tooLarge(line: start) }
                    }
                } else {
                    while !isAtEnd, byte != comma, byte != feed, byte != carriage {
                        guard byte != quote else { throw .badQuotes(line: line) }
                        field.append(byte)
                        if size + field.count > mostBytes { throw .tooLarge(line: start) }
                        if let next = try bytes.next() { byte = next } else { isAtEnd = true }
                    }
                }
                (text, count) = (String(validating: field, as: UTF8.self), field.count)
            }
            size += count
            if size > mostBytes { throw .tooLarge(line: start) }
            if count == 0, !isQuoted {
                values.append(.null)
            } else {
                guard let text else { throw .notUTF8(line: start) }
                values.append(.text(text))
            }
            if values.count > Self.mostFields { throw .tooLarge(line: start) }
            if isAtEnd { return (start, values) }
            switch byte {
            case comma:
                if let next = try bytes.next() { byte = next } else { isAtEnd = true }
            case feed, carriage:
                if byte == carriage { try bytes.skip(feed) }
                line += 1
                return (start, values)
            default: throw .badQuotes(line: line)
            }
        }
    }

    // MARK: JSON

    private var limits: JSONLimits { JSONLimits(depth: 2, bytes: mostBytes, values: 2 * Self.mostFields) }

    private mutating func nextObject() throws(ImportSourceError) -> ImportRecord? {
        while true {
            var text: [UInt8] = []
            var isAtEnd = false
            while true {
                guard let byte = try bytes.next() else {
                    isAtEnd = true
                    break
                }
                if byte == UInt8(ascii: "\n") { break }
                text.append(byte)
                if text.count > mostBytes { throw .tooLarge(line: line) }
            }
            defer { line += 1 }
            if text.allSatisfy({ $0 <= 0x20 }) {
                if isAtEnd { return nil }
                continue
            }
            guard let object = try? JSONValue.parsingNumbersAsText(text, limits: limits).objectValue else {
                throw .badObject(line: line)
            }
            var (names, values) = ([String](), [FieldText]())
            for (name, value) in object {
                guard let value = FieldText(value) else { throw .badObject(line: line) }
                names.append(name)
                values.append(value)
            }
            return ImportRecord(line: line, names: names, values: values)
        }
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
        let offset = lseek(bytes.descriptor, 0, SEEK_CUR)
        if offset >= 0 { return (Repetition(source: self, descriptor: bytes.descriptor, offset: offset), nil) }
        let copy = try bytes.copyRest(in: directory)
        return (Repetition(source: self, descriptor: copy, offset: 0), copy)
    }
}

/// The bytes of a descriptor, one after the other.
private struct ByteSource {
    private(set) var descriptor: Int32
    private let size: Int
    private var buffer: [UInt8] = []
    private var position = 0

    init(_ descriptor: Int32, _ size: Int) {
        self.descriptor = descriptor
        self.size = size
    }

    /// Returns the next byte; nil at the end.
    @inline(__always)
    mutating func next() throws(ImportSourceError) -> UInt8? {
        if position == buffer.count {
            guard try fill() else { return nil }
        }
        defer { position += 1 }
        return buffer[position]
    }

    /// A field of CSV.
    struct Field {
        /// Nil if the bytes are not UTF-8.
        let text: String?
        let size: Int
        /// The number of line breaks in it.
        let lineCount: Int
        /// The byte after it.
        let end: UInt8
    }

    /// Reads a field whose first byte was read last, and the byte after it. Nil, and nothing is read, if the buffer does
    /// not have all of it, or if it has quotes that are not around it.
    mutating func field(isQuoted: Bool) -> Field? {
        let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
        let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let start = isQuoted ? position : position - 1
        let found: Field? = buffer.withUnsafeBufferPointer { bytes in
            var end = start
            var lineCount = 0
            var seen: UInt8 = 0
            while end < bytes.count, bytes[end] != quote {
                let byte = bytes[end]
                if isQuoted {
                    if byte == feed { lineCount += 1 }
                } else if byte == comma || byte == feed || byte == carriage {
                    break
                }
                seen |= byte
                end += 1
            }
            let after = isQuoted ? end + 1 : end
            guard after < bytes.count, bytes[after] != quote else { return nil }
            let field = UnsafeBufferPointer(rebasing: bytes[start..<end])
            // For ASCII this takes less time than validation.
            let text =
                seen < 0x80 ? String(decoding: field, as: UTF8.self) : String(validating: field, as: UTF8.self)
            return Field(text: text, size: field.count, lineCount: lineCount, end: bytes[after])
        }
        if let found { position = start + found.size + (isQuoted ? 2 : 1) }
        return found
    }

    /// Skips the next byte if it has this value.
    mutating func skip(_ byte: UInt8) throws(ImportSourceError) {
        if position == buffer.count {
            guard try fill() else { return }
        }
        if buffer[position] == byte { position += 1 }
    }

    mutating func skipByteOrderMark() throws(ImportSourceError) {
        guard try fill() else { return }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next byte in the buffer that is no space and no line break; nil if there is none.
    var firstCharacter: UInt8? { buffer[position...].first { $0 > 0x20 } }

    /// Copies the rest of the descriptor to a file without a name, and reads that.
    ///
    /// - Returns: its descriptor.
    mutating func copyRest(in directory: String) throws(ImportSourceError) -> Int32 {
        let copy: Int32
        do throws(PlatformError) {
            let file = try SpillFile.create(in: directory)
            unlink(file.path)
            copy = file.descriptor
        } catch {
            if case .system(_, _, let code) = error { throw .system(errno: code) }
            throw .system(errno: EIO)
        }
        do throws(ImportSourceError) {
            var rest = ByteSource(descriptor, size)
            while try rest.fill() {
                let code = rest.buffer.withUnsafeBytes { OpenFile.writeAll($0, to: copy) }
                guard code == 0 else { throw .system(errno: code) }
            }
            guard lseek(copy, 0, SEEK_SET) == 0 else { throw .system(errno: errno) }
        } catch {
            close(copy)
            throw error
        }
        descriptor = copy
        return copy
    }

    private mutating func fill() throws(ImportSourceError) -> Bool {
        position = 0
        var code: Int32 = 0
        buffer = [UInt8](unsafeUninitializedCapacity: size) { space, count in
            while true {
                let received = read(descriptor, space.baseAddress, size)
                if received < 0, errno == EINTR { continue }
                if received < 0 { code = errno }
                count = max(0, received)
                return
            }
        }
        guard code == 0 else { throw .system(errno: code) }
        return !buffer.isEmpty
    }
}
