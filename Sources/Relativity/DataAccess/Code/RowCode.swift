// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// Writes code with a type for the rows of each table, and a function that makes it from a row in JSON.
///
/// The schema is untrusted. Its names appear only as ASCII identifiers, and in string literals whose quotes, backslashes
/// and characters outside printable ASCII are escaped. They never appear in comments.
package enum RowCode {
    /// A language.
    package enum Language: String, CaseIterable, Sendable {
        /// Dataclasses for rows of the package `relativity`.
        case python
        /// Structures for rows as a `JSONObject` of the module JSON.
        case swift
        /// Interfaces for rows as objects.
        case typescript
    }

    /// A source file with a type for each table. A field that may be NULL has an optional type.
    package static func code(for tables: [SchemaTable], in language: Language) -> String {
        switch language {
        case .python: PythonRows.code(for: tables)
        case .swift: SwiftRows.code(for: tables)
        case .typescript: TypeScriptRows.code(for: tables)
        }
    }

    /// The form of a field's values.
    enum Kind {
        /// Integers that fit into 53 bits.
        case integer
        /// LargeInt and LargeAutoInc.
        case large
        case largeUnsigned
        case boolean
        case float
        /// Currency and Decimal.
        case decimal
        case dateTime
        case guid
        case bytes
        case text
        case unknown
    }

    /// A field of a table in the code.
    struct Field {
        /// The identifier.
        let identifier: String
        /// The member of a row in JSON.
        let key: String
        let kind: Kind
        let isOptional: Bool
    }

    /// Returns the fields of a table, with unique identifiers and unique members.
    static func fields(of table: SchemaTable, _ names: RowIdentifiers) -> [Field] {
        var names = names
        var keys: Set<NameKey> = []
        return table.fields.map { field in
            let kind = Kind(field.type)
            return Field(
                identifier: names.add(field.name),
                key: OutputColumns.unique(field.name, &keys),
                kind: kind,
                isOptional: !(field.isRequired || field.isInPrimaryKey) && kind != .unknown
            )
        }
    }
}

extension RowCode.Kind {
    fileprivate init(_ type: DataType) {
        self =
            switch type {
            case .autoInc, .integer, .byte, .shortInt, .word, .smallInt, .cardinal: .integer
            case .largeInt, .largeAutoInc: .large
            case .largeUInt: .largeUnsigned
            case .boolean: .boolean
            case .float, .singleFloat: .float
            case .currency, .decimal: .decimal
            case .dateTime: .dateTime
            case .guid: .guid
            case .blob, .cursor: .bytes
            case .string, .memo, .wideString, .wideMemo, .xml, .fixedChar, .fixedWideChar: .text
            case .unknown: .unknown
            }
    }
}

/// Makes valid and unique identifiers of ASCII letters, digits and underscores from names.
struct RowIdentifiers {
    private let reserved: Set<String>
    private let otherwise: String
    private var used: Set<String>
    /// The number that was last added to a name.
    private var numbers: [String: Int] = [:]

    /// - Parameters:
    ///   - otherwise: the name instead of one without a letter or digit, and the start of one with a digit first.
    ///   - reserved: the keywords, and the names that the code uses itself.
    init(otherwise: String, reserved: Set<String>) {
        self.otherwise = otherwise
        self.reserved = reserved
        used = reserved
    }

    /// Returns an identifier for a name, different from all earlier ones.
    mutating func add(_ name: String) -> String {
        let characters = name.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        // Python would change a name with two underscores first inside a class, and JavaScript has __proto__.
        var base = String(characters.drop { $0 == "_" })
        if base.isEmpty { base = otherwise }
        if base.first?.isNumber == true { base = "\(otherwise)_\(base)" }
        var unique = base
        if reserved.contains(unique) { unique += "_" }
        while !used.insert(unique).inserted {
            let number = numbers[base, default: 1] + 1
            numbers[base] = number
            unique = "\(base)_\(number)"
        }
        return unique
    }
}
