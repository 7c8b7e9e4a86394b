// SPDX-License-Identifier: Apache-2.0

import SQLite

/// A statement in parts: names are quoted, and values are bound, never written into the text.
struct SQLText {
    private(set) var text = ""
    private(set) var values: [SQLiteValue] = []

    /// - Parameter text: no data of a client.
    init(_ text: StaticString = "") {
        self.text = text.description
    }

    /// Returns the identifier in quotes. Each quote in it is doubled, also one that a combining mark follows.
    static func quoted(_ name: String) -> String {
        let parts = name.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
        return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\"\"") + "\""
    }

    /// Appends a part without data of a client.
    mutating func append(_ part: StaticString) {
        text += part.description
    }

    mutating func append(_ other: SQLText) {
        text += other.text
        values += other.values
    }

    /// Appends SQL of a client or of the catalog, in parentheses. A line break ends a comment in it.
    mutating func append(inParentheses sql: String) {
        text += "(" + sql + "\n)"
    }

    mutating func append(name: String) {
        text += Self.quoted(name)
    }

    mutating func append(value: SQLiteValue) {
        text += "?"
        values.append(value)
    }

    /// Appends parts with a separator between them.
    mutating func append(_ parts: [SQLText], separator: StaticString) {
        for (index, part) in parts.enumerated() {
            if index > 0 { append(separator) }
            append(part)
        }
    }

    static func name(_ name: String) -> SQLText {
        var text = SQLText()
        text.append(name: name)
        return text
    }

    static func value(_ value: SQLiteValue) -> SQLText {
        var text = SQLText()
        text.append(value: value)
        return text
    }
}
