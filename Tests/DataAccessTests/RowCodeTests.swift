// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import DataAccess

@Suite("Code for rows") struct RowCodeTests {
    private static func table(
        _ name: String,
        _ fields: [(name: String, type: String, isRequired: Bool)],
        _ language: CodeLanguage = .python
    ) throws -> String {
        func escaped(_ text: String) -> String {
            text.unicodeScalars.map { "&#\($0.value);" }.joined()
        }
        let xml = fields.map {
            """
            <SchemaField><Name>\(escaped($0.name))</Name><DataType>\($0.type)</DataType>\
            <Required>\($0.isRequired)</Required></SchemaField>
            """
        }
        let schema = try DataSchema(
            parsing: """
                <Schema><DataTables><SchemaDataTable><Name>\(escaped(name))</Name><Fields>\(xml.joined())</Fields>\
                </SchemaDataTable></DataTables></Schema>
                """
        )
        return RowCode.code(for: schema.tables + schema.tables, in: language)
    }

    @Test("names that are no identifiers")
    func names() throws {
        let names = ["class", "1st", "__x", "ä", "a b", "a_b", "a-b", "int", "a_b_2", "field"]
        let code = try Self.table("None", names.map { ($0, "datInteger", true) })
        let lines = code.split(separator: "\n").filter { $0.hasSuffix(": int") }.map { $0.dropFirst(4).dropLast(5) }
        let expected = ["class_", "field_1st", "x", "field", "a_b", "a_b_2", "a_b_3", "int_", "a_b_2_2", "field_2"]
        #expect(lines.map(String.init) == expected + expected)
        #expect(code.contains("\nclass None_:\n") && code.contains("\nclass None_2:\n"))
    }

    @Test("a name stays inside its literal")
    func hostile() throws {
        let name = "x\"]\nimport os\\ \u{2028}\u{1F600}'''#"
        let code = try Self.table(name, [(name, "datInteger", true)])
        let literal = #""x\"]\U0000000aimport os\\ \U00002028\U0001f600'''#""#
        #expect(code.contains("    TABLE: ClassVar[str] = \(literal)\n"))
        #expect(code.contains("            row[\(literal)],\n"))
        #expect(code.utf8.allSatisfy { $0 < 0x80 } && !code.contains("\nimport os"))
    }

    @Test(
        "types of Python, Swift and TypeScript",
        arguments: [
            ("AutoInc", "int", "Int64", "number"), ("LargeInt", "int", "Int64", "bigint"),
            ("LargeUInt", "int", "UInt64", "bigint"), ("Boolean", "bool", "Bool", "boolean"),
            ("Float", "float", "Double", "number"), ("Currency", "Decimal", "String", "string"),
            ("Decimal", "Decimal", "String", "string"), ("DateTime", "datetime", "String", "string"),
            ("Guid", "UUID", "String", "string"), ("Blob", "bytes", "String", "string"),
            ("WideMemo", "str", "String", "string"),
        ]
    )
    func types(type: String, python: String, swift: String, script: String) throws {
        let fields = [("A", "dat\(type)", true), ("B", "dat\(type)", false)]
        #expect(try Self.table("T", fields).contains("\n    A: \(python)\n    B: \(python) | None\n"))
        #expect(try Self.table("T", fields, .swift).contains("\n    var A: \(swift)\n    var B: \(swift)?\n"))
        #expect(try Self.table("T", fields, .typescript).contains("\n  A: \(script)\n  B: \(script) | null\n"))
    }

    @Test("a name stays inside its literal in Swift and TypeScript", arguments: [CodeLanguage.swift, .typescript])
    func hostileNames(language: CodeLanguage) throws {
        let name = "x\"]\n*/ \\(exit(1)) ${1} ` \u{2028}\u{1F600}"
        let code = try Self.table(name, [(name, "datInteger", true)], language)
        let literal =
            language == .swift
            ? #""x\"]\u{a}*/ \\(exit(1)) ${1} ` \u{2028}\u{1f600}""#
            : #""x\"]\u000a*/ \\(exit(1)) ${1} ` \u2028\ud83d\ude00""#
        #expect(code.split(separator: literal, omittingEmptySubsequences: false).count == 5)
        #expect(code.utf8.allSatisfy { $0 < 0x80 } && !code.contains("\n*/"))
    }
}
