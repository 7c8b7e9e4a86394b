// SPDX-License-Identifier: Apache-2.0

import CTOML

/// TOML 1.0, parsed by toml++.
///
/// Some valid texts are rejected: those beyond the limits, and those with an escaped NUL in a key or a string.
package enum TOMLDocument {
    /// Parses a complete text.
    ///
    /// - Returns: the members of the root table.
    package static func parse(
        _ text: String,
        limits: TOMLLimits = TOMLLimits()
    ) throws(TOMLError) -> [String: TOMLValue] {
        try parseWithLines(text, limits: limits).values
    }

    /// Parses a complete text.
    ///
    /// - Returns: the members of the root table; and the line, from 1, of each member of a table and of each table in an
    ///   array, by its path. An element of an array is a part of the path as its index, from 0.
    package static func parseWithLines(
        _ text: String,
        limits: TOMLLimits = TOMLLimits()
    ) throws(TOMLError) -> (values: [String: TOMLValue], lines: [[String]: Int]) {
        let bytes = Array(text.utf8)
        var screen = TOMLScreen(bytes, limits: limits)
        try screen.check()
        var fault = relt_fault()
        let document = bytes.withUnsafeBytes { bytes in
            relt_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &fault)
        }
        guard let document else { throw TOMLError(fault) }
        defer { relt_free(document) }
        var reader = TOMLValueReader(document)
        let root = try reader.next().value.table ?? [:]
        return (root, reader.lines)
    }
}

extension TOMLError {
    fileprivate init(_ fault: relt_fault) {
        let reason = withUnsafeBytes(of: fault.reason) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(line: Int(fault.line), column: Int(fault.column), reason: reason)
    }
}

/// A value of a TOML document, including all nested values.
package enum TOMLValue: Sendable, Hashable {
    case table([String: TOMLValue])
    case array([TOMLValue])
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    /// A date, a time, or both. Its content is not read.
    case moment
}

extension TOMLValue {
    /// The members, if this is a table.
    package var table: [String: TOMLValue]? { if case .table(let value) = self { value } else { nil } }
    /// The elements, if this is an array.
    package var array: [TOMLValue]? { if case .array(let value) = self { value } else { nil } }
    /// The text, if this is a string.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, if this is an integer. A float with an integral value is not an integer.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// The value, if this is a boolean.
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

/// Builds values from the flat list of a parsed document, in which parents precede their children. The document must
/// outlive the reader.
struct TOMLValueReader {
    private let values: UnsafeBufferPointer<relt_value>
    private var index = 0
    /// The path of the value that is read.
    private var path: [String] = []
    /// The lines of the values that were read, by path.
    private(set) var lines: [[String]: Int] = [:]

    init(_ document: OpaquePointer) {
        var count = 0
        let first = relt_values(document, &count)
        values = UnsafeBufferPointer(start: first, count: count)
    }

    /// Returns the next value, including all nested values, and its key if it is a member of a table.
    mutating func next() throws(TOMLError) -> (key: String, value: TOMLValue) {
        let flat = values[index]
        index += 1
        let key = try Self.text(flat.key, flat.key_size, of: flat)
        switch flat.kind {
        case relt_table:
            var members: [String: TOMLValue] = [:]
            for _ in 0..<flat.count {
                let key = try Self.text(values[index].key, values[index].key_size, of: values[index])
                members[key] = try child(key, hasLine: true)
            }
            return (key, .table(members))
        case relt_array:
            var elements: [TOMLValue] = []
            for number in 0..<flat.count {
                elements.append(try child("\(number)", hasLine: values[index].kind == relt_table))
            }
            return (key, .array(elements))
        case relt_string: return (key, .string(try Self.text(flat.text, flat.text_size, of: flat)))
        case relt_integer: return (key, .integer(Int(flat.integer)))
        case relt_float: return (key, .float(flat.number))
        case relt_boolean: return (key, .boolean(flat.integer != 0))
        default: return (key, .moment)
        }
    }

    private mutating func child(_ name: String, hasLine: Bool) throws(TOMLError) -> TOMLValue {
        path.append(name)
        defer { path.removeLast() }
        if hasLine { lines[path] = Int(values[index].line) }
        return try next().value
    }

    private static func text(
        _ start: UnsafePointer<CChar>?,
        _ count: Int,
        of flat: relt_value
    ) throws(TOMLError) -> String {
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        guard !bytes.contains(0) else {
            throw TOMLError(line: Int(flat.line), column: Int(flat.column), reason: "a NUL is no text")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Limits of a document. The parser recurses, so its input must be bounded.
package struct TOMLLimits: Sendable, Hashable {
    /// Maximum length of one line in bytes, without the line end.
    package var lineBytes = 4_096
    /// Maximum nesting of arrays and inline tables.
    package var nesting = 16
    /// Maximum number of parts of a dotted key.
    package var keyParts = 16

    /// Creates the default limits.
    package init() {}
}

/// The reason why a text was rejected, with the position.
package struct TOMLError: Error, Hashable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1; in bytes if the line is too long.
    package let column: Int
    /// A description. It may quote the text, so escape it before printing it.
    package let reason: String
}
