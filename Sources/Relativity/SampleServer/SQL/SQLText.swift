// SPDX-License-Identifier: Apache-2.0

import SQLite

/// A statement in parts, written as a string literal: names are quoted, values are bound and never written into the text,
/// and no other text can be inserted.
struct SQLText: ExpressibleByStringInterpolation, StringInterpolationProtocol {
    private(set) var text = ""
    private(set) var values: [SQLiteValue] = []

    init(stringLiteral literal: String) {
        text = literal
    }

    init(stringInterpolation parts: SQLText) {
        self = parts
    }

    init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
    }

    /// Returns the identifier in quotes. Each quote in it is doubled, also one that a combining mark follows.
    static func quoted(_ name: String) -> String {
        let parts = name.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\"\"") + "\""
    }

    static func value(_ value: SQLiteValue) -> SQLText {
        var text: SQLText = "?"
        text.values = [value]
        return text
    }

    static func += (left: inout SQLText, right: SQLText) {
        left.appendInterpolation(right)
    }

    mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    mutating func appendInterpolation(_ part: SQLText) {
        text += part.text
        values += part.values
    }

    mutating func appendInterpolation(_ parts: [SQLText], separator: StaticString = ", ") {
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator.description }
            appendInterpolation(part)
        }
    }

    mutating func appendInterpolation(name: String) {
        text += Self.quoted(name)
    }

    /// Appends SQL of a client or of the catalog, in parentheses. A line break ends a comment in it.
    mutating func appendInterpolation(inParentheses sql: String) {
        text += "(" + sql + "\n)"
    }
}
