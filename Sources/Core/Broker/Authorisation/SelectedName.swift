// SPDX-License-Identifier: Apache-2.0

import Services

/// Names in the request of a tool, which a server may insert into its SQL without a comparison with its schema.
enum SelectedName {
    /// Commands of SQL that change something. A database may take one of them after a name without a semicolon.
    private static let commands = Set(
        [
            "alter", "call", "create", "delete", "do", "drop", "exec", "execute", "grant", "insert", "into", "merge",
            "replace", "revoke", "truncate", "update",
        ].map(WireName.init)
    )
    private static let marks = Set(" _.$#@".unicodeScalars)

    /// Whether the name can only be one of a table, field, parameter or macro: letters, digits and a few marks, in
    /// several words only if none of them is a command.
    ///
    /// Each scalar counts, because a letter such as U+0D4E is one Character with the mark that follows it.
    static func isPlain(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        guard scalars.allSatisfy({ isOfWord($0) || marks.contains($0) }) else { return false }
        let words = scalars.split { !isOfWord($0) }
        return words.count < 2 || words.allSatisfy { !commands.contains(WireName(String($0))) }
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: scalar == "_"
        }
    }

    /// Whether a where clause is empty, or can be read and has plain names only. Its values are not names.
    static func arePlain(inWhere xml: String) -> Bool {
        guard !xml.isEmpty else { return true }
        guard let clause = try? DynamicWhere.expression(parsing: xml) else { return false }
        return arePlain(in: clause)
    }

    private static func arePlain(in clause: WhereExpression) -> Bool {
        switch clause {
        case .constant(_, let type): isPlain(type)
        case .field(let name, let table): isPlain(name) && isPlain(table ?? "")
        case .null: true
        case .macro(let name): isPlain(name)
        case .parameter(let name, let type, _): isPlain(name) && isPlain(type)
        case .list(let elements): elements.allSatisfy(arePlain(in:))
        case .unary(let operation, let operand): isPlain(operation?.rawValue ?? "") && arePlain(in: operand)
        case .binary(let operation, let left, let right):
            isPlain(operation.rawValue) && arePlain(in: left) && arePlain(in: right)
        case .between(let value, let low, let high): [value, low, high].allSatisfy(arePlain(in:))
        }
    }
}
