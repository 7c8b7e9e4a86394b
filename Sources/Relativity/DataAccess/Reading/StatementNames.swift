// SPDX-License-Identifier: Apache-2.0

import Platform

/// Finds the names in a statement that may be tables: those after FROM, JOIN, and a comma after FROM.
///
/// Names of common table expressions are found too. The server decides what is a table.
package enum StatementNames {
    /// The maximum number of names.
    static let limit = 64

    /// Keywords after which a comma no longer separates tables.
    private static let ends: Set<String> = [
        "where", "group", "order", "having", "limit", "union", "except", "intersect", "on", "using", "select", "window",
        "with", "set", "values",
    ]
    private static let notNames: Set<String> = ["select", "values", "lateral"]

    /// Returns the names of tables; none for a statement with common table expressions, which may have names of their own.
    package static func unaliased(in statement: String) -> [String] {
        let hasOwnNames = StatementToken.tokens(of: Array(statement.utf8)).contains { token in
            if case .word("with", _) = token.kind { true } else { false }
        }
        return hasOwnNames ? [] : tables(in: statement)
    }

    /// Returns the names in the order of the statement, each once regardless of the case of ASCII letters.
    static func tables(in statement: String) -> [String] {
        var names: [String] = []
        var known: Set<NameKey> = []
        var isList = false
        var isExpected = false
        for token in StatementToken.tokens(of: Array(statement.utf8)).map(\.kind) {
            switch token {
            case .word("from", _), .word("join", _):
                (isList, isExpected) = (true, true)
            case .symbol(UInt8(ascii: ",")) where isList: isExpected = true
            // FROM (a, b)
            case .symbol(UInt8(ascii: "(")) where isExpected: break
            case .word(let word, _) where isExpected && notNames.contains(word): (isList, isExpected) = (false, false)
            case .word(_, let name) where isExpected, .quoted(let name) where isExpected:
                isExpected = false
                if names.count < limit, known.insert(NameKey(name)).inserted { names.append(name) }
            case .word(let word, _):
                if ends.contains(word) { isList = false }
                isExpected = false
            default: isExpected = false
            }
        }
        return names
    }

    /// Whether a statement is a query by its keyword, which follows the common table expressions.
    ///
    /// A text without a keyword counts as a query: SQLite says what is wrong with it.
    static func isQuery(_ statement: String) -> Bool {
        let tokens = StatementToken.tokens(of: Array(statement.utf8)).map(\.kind)
        switch tokens.first {
        case .word("select", _), .word("values", _), nil: return true
        case .word("with", _): break
        default: return false
        }
        var depth = 0
        for token in tokens {
            switch token {
            case .symbol(UInt8(ascii: "(")): depth += 1
            case .symbol(UInt8(ascii: ")")): depth -= 1
            case .word("select", _) where depth == 0, .word("values", _) where depth == 0: return true
            case .word("insert", _) where depth == 0, .word("update", _) where depth == 0,
                .word("delete", _) where depth == 0:
                return false
            default: break
            }
        }
        return true
    }

    /// Takes TOP, which SQLite does not know, out of a statement in DA SQL.
    static func withoutTop(_ statement: String) -> (statement: String, top: Int?) {
        var rest = statement[...]
        func next() -> String {
            rest = rest.drop(while: \.isWhitespace)
            let word = rest.prefix { $0.isLetter || $0.isNumber }
            rest = rest[word.endIndex...]
            return word.lowercased()
        }
        guard next() == "select" else { return (statement, nil) }
        var end = rest.startIndex
        var word = next()
        if word == "distinct" {
            end = rest.startIndex
            word = next()
        }
        guard word == "top", let top = Int(next()) else { return (statement, nil) }
        return (String(statement[..<end] + rest), top)
    }

    /// Whether a text in a statement has characters beyond ASCII.
    static func hasTextBeyondASCII(_ statement: String) -> Bool {
        StatementToken.tokens(of: Array(statement.utf8)).contains { token in
            if case .text(let text) = token.kind { text.utf8.contains { $0 >= 0x80 } } else { false }
        }
    }

    /// Returns the number of rows of a LIMIT, which DA SQL does not have; nil if the statement has none.
    static func limit(in statement: String) -> Int? {
        var depth = 0
        var isExpected = false
        for token in StatementToken.tokens(of: Array(statement.utf8)) {
            switch token.kind {
            case .number(let number) where isExpected: return Int(number)
            case .symbol(UInt8(ascii: "(")): depth += 1
            case .symbol(UInt8(ascii: ")")): depth -= 1
            case .word("limit", _): isExpected = depth == 0
            default: isExpected = false
            }
        }
        return nil
    }
}
