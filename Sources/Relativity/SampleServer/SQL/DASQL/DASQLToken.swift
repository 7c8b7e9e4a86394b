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

    /// Splits a statement into tokens.
    ///
    /// - Throws: `QueryError` for a character that begins no token, and for a text or name without an end.
    static func scan(_ statement: String) throws(QueryError) -> [DASQLToken] {
        guard statement.utf8.count <= longest else { throw QueryError("a DA SQL statement of more than 64 KiB") }
        var rest = Substring(statement)
        var tokens: [DASQLToken] = []
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
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
            } else if first.isASCII, first.isNumber {
                tokens.append(.number(readNumber(&rest)))
            } else if first.isLetter || first == "_" {
                tokens.append(.word(readWord(&rest)))
            } else if let symbol = symbols.first(where: { rest.hasPrefix($0) }) {
                rest.removeFirst(symbol.count)
                tokens.append(.symbol(symbol))
            } else {
                throw QueryError("the character '\(first)' is not part of DA SQL")
            }
        }
        return tokens
    }

    /// Reads up to the closing quote. Two of them are one of the content.
    private static func readQuoted(_ rest: inout Substring, _ end: Character) throws(QueryError) -> String {
        rest.removeFirst()
        var content = ""
        while let character = rest.popFirst() {
            guard character == end else {
                content.append(character)
                continue
            }
            guard rest.first == end else { return content }
            rest.removeFirst()
            content.append(end)
        }
        throw QueryError("a quote without an end in DA SQL")
    }

    private static func readWord(_ rest: inout Substring) -> String {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest[word.endIndex...]
        return String(word)
    }

    private static func readNumber(_ rest: inout Substring) -> String {
        var hasPoint = false
        let number = rest.prefix { character in
            if character == ".", !hasPoint {
                hasPoint = true
                return true
            }
            return character.isASCII && character.isNumber
        }
        rest = rest[number.endIndex...]
        return String(number)
    }
}
