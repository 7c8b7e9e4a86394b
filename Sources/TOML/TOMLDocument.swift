// SPDX-License-Identifier: Apache-2.0

import CTOML

/// TOML 1.0, read by toml++.
///
/// It refuses some texts that the standard allows: those beyond the limits, and those with a NUL in a key or a string,
/// which may be written as an escape there.
package enum TOMLDocument {
    /// Reads a whole text.
    ///
    /// - Returns: the members of the root table.
    package static func parse(
        _ text: String,
        limits: TOMLLimits = TOMLLimits()
    ) throws(TOMLError) -> [String: TOMLValue] {
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
        return try reader.next().value.table ?? [:]
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

/// One value of a TOML document, with all that is in it.
package enum TOMLValue: Sendable, Hashable {
    case table([String: TOMLValue])
    case array([TOMLValue])
    case string(String)
    case integer(Int)
    case float(Double)
    case boolean(Bool)
    /// A date, a time, or both: known to be one, and not read.
    case moment
}

extension TOMLValue {
    /// The members, if this is a table.
    package var table: [String: TOMLValue]? { if case .table(let value) = self { value } else { nil } }
    /// The elements, if this is an array.
    package var array: [TOMLValue]? { if case .array(let value) = self { value } else { nil } }
    /// The text, if this is a string.
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The number, if this is an integer: a float that is whole is none.
    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    /// The value, if this is a boolean.
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
}

/// Makes values of a parsed document's list, in which parents stand before children. To be used while the document lives.
struct TOMLValueReader {
    private let values: UnsafeBufferPointer<relt_value>
    private var index = 0

    init(_ document: OpaquePointer) {
        var count = 0
        let first = relt_values(document, &count)
        values = UnsafeBufferPointer(start: first, count: count)
    }

    /// The next value with all that is in it, and its name if it stands in a table.
    mutating func next() throws(TOMLError) -> (key: String, value: TOMLValue) {
        let flat = values[index]
        index += 1
        let key = try Self.text(flat.key, flat.key_size, of: flat)
        switch flat.kind {
        case relt_table:
            var members: [String: TOMLValue] = [:]
            for _ in 0..<flat.count {
                let member = try next()
                members[member.key] = member.value
            }
            return (key, .table(members))
        case relt_array:
            var elements: [TOMLValue] = []
            for _ in 0..<flat.count { elements.append(try next().value) }
            return (key, .array(elements))
        case relt_string: return (key, .string(try Self.text(flat.text, flat.text_size, of: flat)))
        case relt_integer: return (key, .integer(Int(flat.integer)))
        case relt_float: return (key, .float(flat.number))
        case relt_boolean: return (key, .boolean(flat.integer != 0))
        default: return (key, .moment)
        }
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

/// How much of everything a document may have. The parser recurses, so it must not see a text without bounds.
package struct TOMLLimits: Sendable, Hashable {
    /// Bytes of one line, its end not counted.
    package var lineBytes = 4_096
    /// Arrays and inline tables within each other.
    package var nesting = 16
    /// Parts of one dotted key.
    package var keyParts = 16

    package init() {}
}

/// Why a text was refused, and where.
package struct TOMLError: Error, Hashable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1; in bytes for a line that is too long.
    package let column: Int
    /// In words. It may quote the text, and is not safe to show as it is.
    package let reason: String
}
