// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// Writes code with a type for the rows of each table, and a function that makes it from a row in JSON.
package enum RowCode {
    /// A source file with a type for each table. A field that may be NULL has an optional type.
    package static func code(for tables: [SchemaTable], in language: CodeLanguage) -> String {
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
    static func fields(of table: SchemaTable, _ names: CodeIdentifiers) -> [Field] {
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
