// SPDX-License-Identifier: Apache-2.0

/// Splits a text that arrives in pieces into statements, at semicolons outside of quotes and comments.
struct StatementSplitter {
    private enum Place: Hashable {
        case plain
        /// Ends at this byte. A doubled quote ends and begins again, which gives the same result.
        case quote(UInt8)
        case lineComment, blockComment
    }

    private var place = Place.plain
    /// The statement so far, without comments.
    private var pending: [UInt8] = []
    private var last: UInt8 = 0

    /// Whether a statement or a comment has begun.
    var isInside: Bool { place != .plain || !pending.allSatisfy(Self.isSpace) }

    /// Whether a text in quotes or a comment has begun.
    var isInText: Bool { place != .plain }

    /// Adds a piece, and returns the statements that it completes, without comments and semicolons.
    mutating func add(_ text: String) -> [String] {
        text.utf8.compactMap { take($0) }
    }

    /// Ends the text.
    ///
    /// - Returns: the last statement, if it had no semicolon; nil if only space and comments are left.
    mutating func finish() -> String? {
        defer { self = StatementSplitter() }
        let text = pending.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed()
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }

    private mutating func take(_ byte: UInt8) -> String? {
        // A byte that begins or ends a comment is not the first half of another sign.
        var seen = byte
        defer { last = seen }
        switch (place, byte) {
        case (.plain, UInt8(ascii: ";")):
            seen = 0
            return finish()
        case (.plain, UInt8(ascii: "-")) where last == byte: beginComment(.lineComment)
        case (.plain, UInt8(ascii: "*")) where last == UInt8(ascii: "/"):
            beginComment(.blockComment)
            seen = 0
        case (.plain, _):
            pending.append(byte)
            place = Self.quoteEnds[byte].map { .quote($0) } ?? .plain
        case (.quote(let end), _):
            pending.append(byte)
            if byte == end { place = .plain }
        case (.lineComment, UInt8(ascii: "\n")):
            pending.append(byte)
            place = .plain
        case (.blockComment, UInt8(ascii: "/")) where last == UInt8(ascii: "*"):
            place = .plain
            seen = 0
        case (.lineComment, _), (.blockComment, _): break
        }
        return nil
    }

    private mutating func beginComment(_ comment: Place) {
        // The first byte of the sign was taken as text.
        pending[pending.count - 1] = UInt8(ascii: " ")
        place = comment
    }

    private static let quoteEnds: [UInt8: UInt8] = [
        UInt8(ascii: "'"): UInt8(ascii: "'"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "`"): UInt8(ascii: "`"), UInt8(ascii: "["): UInt8(ascii: "]"),
    ]
}
