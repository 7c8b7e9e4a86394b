// SPDX-License-Identifier: Apache-2.0

/// Reads records of CSV in UTF-8, in one pass.
struct CSVReader {
    /// A record.
    struct Record {
        /// The line on which it begins, from 1.
        let line: Int
        fileprivate(set) var values: [FieldText] = []
        /// Whether it is an empty line.
        fileprivate(set) var isEmptyLine = false
    }

    private static let quote = UInt8(ascii: "\"")
    private static let feed = UInt8(ascii: "\n")
    private static let carriage = UInt8(ascii: "\r")

    var window: ByteWindow
    private let mostBytes: Int
    /// The text without quotes that is NULL.
    var nullText: [UInt8] = []
    /// The byte between two fields.
    private(set) var delimiter: UInt8
    private var line = 1

    /// Begins to read, and takes a line `sep=;`, as spreadsheets write it.
    ///
    /// - Parameters:
    ///   - delimiter: the byte between two fields, whatever the file says; nil for that of the file.
    ///   - usual: the same for a file without such a line.
    init(
        _ window: ByteWindow,
        delimiter: UInt8?,
        usual: UInt8,
        mostBytes: Int
    ) throws(ImportSourceError) {
        (self.window, self.mostBytes) = (window, mostBytes)
        self.delimiter = delimiter ?? usual
        for mark in ["sep=", "\"sep="] {
            let isQuoted = mark.hasPrefix("\"")
            guard try self.window.starts(with: Array(mark.utf8)), let byte = try self.window.byte(at: mark.utf8.count)
            else { continue }
            var count = mark.utf8.count + 1
            if isQuoted {
                guard try self.window.byte(at: count) == Self.quote else { return }
                count += 1
            }
            guard let lineEnd = try lineEnd(at: count), Self.isDelimiter(byte) else { return }
            self.window.take(count + lineEnd)
            self.delimiter = delimiter ?? byte
            line += 1
            return
        }
    }

    /// Returns the next record; nil at the end.
    mutating func next() throws(ImportSourceError) -> Record? {
        guard try window.byte(at: 0) != nil else { return nil }
        var record = Record(line: line)
        var bytesLeft = mostBytes
        while true {
            let isQuoted = try window.byte(at: 0) == Self.quote
            let value = try isQuoted ? quoted(record.line, &bytesLeft) : plain(record.line, &bytesLeft)
            record.values.append(value.text)
            if record.values.count > ImportSource.mostFields { throw .tooLarge(line: record.line) }
            let end = try window.byte(at: 0)
            if end == delimiter {
                window.take(1)
                continue
            }
            if end != nil {
                guard let count = try lineEnd(at: 0) else { throw .badQuotes(line: line) }
                window.take(count)
                line += 1
            }
            record.isEmptyLine = record.values.count == 1 && !isQuoted && value.count == 0
            return record
        }
    }

    /// Whether a byte can be between two fields.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte < 0x80 && byte != quote && byte != feed && byte != carriage
    }

    /// Returns the number of bytes of the end of a line; nil for anything else.
    private mutating func lineEnd(at index: Int) throws(ImportSourceError) -> Int? {
        switch try window.byte(at: index) {
        case Self.feed: 1
        case Self.carriage: try window.byte(at: index + 1) == Self.feed ? 2 : 1
        default: nil
        }
    }

    /// Takes a field without quotes.
    private mutating func plain(
        _ record: Int,
        _ bytesLeft: inout Int
    ) throws(ImportSourceError) -> (text: FieldText, count: Int) {
        var count = 0
        var seen: UInt8 = 0
        let delimiter = delimiter
        while true {
            let isAtEnd = window.withBytes { bytes in
                let last = min(bytes.count, bytesLeft + 1)
                while count < last {
                    let byte = bytes[count]
                    if byte == delimiter || byte == Self.feed || byte == Self.carriage || byte == Self.quote {
                        return true
                    }
                    seen |= byte
                    count += 1
                }
                return false
            }
            if count > bytesLeft { throw .tooLarge(line: record) }
            if isAtEnd { break }
            guard try window.readMore() else { break }
        }
        if try window.byte(at: count) == Self.quote { throw .badQuotes(line: line) }
        bytesLeft -= count
        defer { window.take(count) }
        let isNull = window.withBytes { $0[..<count].elementsEqual(nullText) }
        if isNull { return (.null, count) }
        return (.text(try text(0..<count, isASCII: seen < 0x80, record)), count)
    }

    /// Takes a field in quotes.
    private mutating func quoted(
        _ record: Int,
        _ bytesLeft: inout Int
    ) throws(ImportSourceError) -> (text: FieldText, count: Int) {
        let first = line
        var lines = 0
        defer { line += lines }
        // The quote in front of the text, and one of each two in it, are no part of it.
        var (index, extra) = (1, 1)
        var seen: UInt8 = 0
        while true {
            let isAtQuote = window.withBytes { bytes in
                let last = min(bytes.count, bytesLeft + 1 + extra)
                while index < last {
                    let byte = bytes[index]
                    if byte == Self.quote { return true }
                    if byte == Self.feed { lines += 1 }
                    seen |= byte
                    index += 1
                }
                return false
            }
            if index - extra > bytesLeft { throw .tooLarge(line: record) }
            guard isAtQuote else {
                guard try window.readMore() else { throw .openQuote(line: first) }
                continue
            }
            guard try window.byte(at: index + 1) == Self.quote else { break }
            (index, extra) = (index + 2, extra + 1)
            if index - extra > bytesLeft { throw .tooLarge(line: record) }
        }
        bytesLeft -= index - extra
        defer { window.take(index + 1) }
        let text = try text(1..<index, isASCII: seen < 0x80, record)
        return (.text(extra > 1 ? Self.withSingleQuotes(text) : text), index - extra)
    }

    private func text(_ range: Range<Int>, isASCII: Bool, _ record: Int) throws(ImportSourceError) -> String {
        let text = window.withBytes { bytes in
            let bytes = UnsafeBufferPointer(rebasing: bytes[range])
            // For ASCII this takes less time than validation.
            return isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
        }
        guard let text else { throw .notUTF8(line: record) }
        return text
    }

    /// Removes one of each two quotes.
    private static func withSingleQuotes(_ text: String) -> String {
        var isSecond = false
        return String(
            decoding: text.utf8.filter { byte in
                isSecond = byte == quote && !isSecond
                return !isSecond || byte != quote
            },
            as: UTF8.self
        )
    }
}
