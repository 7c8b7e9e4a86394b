// SPDX-License-Identifier: Apache-2.0

/// A token of a DA SQL statement.
enum DASQLToken: Hashable, Sendable {
    /// A name without quotes, which may be a keyword.
    case word(String)
    /// A name in `"…"` or `[…]`.
    case quoted(String)
    case text(String)
    /// Digits with at most one point.
    case number(String)
    /// A name after a colon.
    case parameter(String)
    case symbol(String)

    /// The maximum length of a statement in bytes.
    static let longest = 1 << 16
    private static let symbols = [
        "<>", "!=", "<=", ">=", "||", "=", "<", ">", "(", ")", ",", ".", "*", "+", "-", "/", "%",
    ]

    /// Splits a statement into tokens, without comments, which `--` begins and the line ends. A combining mark is a scalar
    /// of its own, so that it cannot hide a quote.
    ///
    /// - Throws: `QueryError` for a scalar that begins no token, and for a text or name without an end.
    static func scan(_ statement: String) throws(QueryError) -> [DASQLToken] {
        guard statement.utf8.count <= longest else { throw QueryError("a DA SQL statement of more than 64 KiB") }
        var rest = Substring(statement).unicodeScalars
        var tokens: [DASQLToken] = []
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "--".unicodeScalars) {
                rest = rest.drop { $0 != "\n" }
            } else if first == "'" {
                tokens.append(.text(try readQuoted(&rest, "'")))
            } else if first == "\"" {
                tokens.append(.quoted(try readQuoted(&rest, "\"")))
            } else if first == "[" {
                tokens.append(.quoted(try readQuoted(&rest, "]")))
            } else if first == ":" {
                rest.removeFirst()
                let name = readWord(&rest)
                guard !name.isEmpty else { throw QueryError("a colon without a parameter in DA SQL") }
                tokens.append(.parameter(name))
            } else if isDigit(first) {
                tokens.append(.number(readNumber(&rest)))
            } else if first.properties.isAlphabetic || first == "_" {
                tokens.append(.word(readWord(&rest)))
            } else if let symbol = symbols.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                rest.removeFirst(symbol.unicodeScalars.count)
                tokens.append(.symbol(symbol))
            } else {
                throw QueryError("the character '\(first)' is not part of DA SQL")
            }
        }
        return tokens
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Reads up to the closing quote. Two of them are one of the content.
    private static func readQuoted(
        _ rest: inout Substring.UnicodeScalarView,
        _ end: Unicode.Scalar
    ) throws(QueryError) -> String {
        rest.removeFirst()
        var content = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == end else {
                content.append(scalar)
                continue
            }
            guard rest.first == end else { return String(content) }
            rest.removeFirst()
            content.append(end)
        }
        throw QueryError("a quote without an end in DA SQL")
    }

    private static func readWord(_ rest: inout Substring.UnicodeScalarView) -> String {
        let word = rest.prefix { scalar in
            let properties = scalar.properties
            return scalar == "_" || isDigit(scalar) || properties.isAlphabetic || properties.numericType != nil
                || properties.canonicalCombiningClass != .notReordered
        }
        rest = rest[word.endIndex...]
        return String(word)
    }

    private static func readNumber(_ rest: inout Substring.UnicodeScalarView) -> String {
        var hasPoint = false
        let number = rest.prefix { scalar in
            if scalar == ".", !hasPoint {
                hasPoint = true
                return true
            }
            return isDigit(scalar)
        }
        rest = rest[number.endIndex...]
        return String(number)
    }
}
