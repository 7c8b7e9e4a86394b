// SPDX-License-Identifier: Apache-2.0

import CTOML

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
