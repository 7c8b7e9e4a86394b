// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import TestSupport
import Testing

@testable import DataAccess

/// Compiles the code for the tables of a hostile schema, and runs it with a row.
@Suite("Code for rows, compiled") struct RowCodeRunTests {
    /// Names that are no identifiers, or not unique.
    private static let names = [
        "Id", "id", "", "1st", "a b", "a_b", "a-b", "ä", "日本", "__proto__", "constructor", "class", "self", "Self",
        "Type", "init", "None", "row", "read", "from_row", "table", "TABLE", "key", "String", "int", "Any", "hash",
        "hashValue", "x\"; exit(1) //", "x'''\n\"\"\"", "\\(1)", "${1}", "`", "*/", "\u{2028}", "\u{7F}", "Id",
    ]

    /// All types, required and not, then fields with the hostile names; and tables with these names without fields.
    private static func tables() throws -> [SchemaTable] {
        func escaped(_ text: String) -> String { text.unicodeScalars.map { "&#\($0.value);" }.joined() }
        func field(_ name: String, _ type: String, _ isRequired: Bool) -> String {
            """
            <SchemaField><Name>\(escaped(name))</Name><DataType>\(type)</DataType><Required>\(isRequired)</Required>\
            </SchemaField>
            """
        }
        let types = DataType.allCases.flatMap {
            [field("\($0)Value", $0.name, true), field("\($0)OrNull", $0.name, false)]
        }
        let fields = types.joined() + names.map { field($0, "datInteger", true) }.joined()
        let empty = names.map { "<SchemaDataTable><Name>\(escaped($0))</Name><Fields/></SchemaDataTable>" }.joined()
        return try DataSchema(
            parsing: """
                <Schema><DataTables><SchemaDataTable><Name>All</Name><Fields>\(fields)</Fields></SchemaDataTable>\
                \(empty)</DataTables></Schema>
                """
        ).tables
    }

    /// A row of the first table as `table get --json` prints it with numbers as text. The hostile fields are 0, 1, 2 …
    private static func row() throws -> String {
        let table = try #require(try tables().first)
        let fields = RowCode.fields(of: table, CodeIdentifiers(otherwise: "f", reserved: []))
        let first = fields.count - names.count
        let members = fields.enumerated().map { number, field in
            let value: JSONValue =
                switch field.kind {
                case _ where field.key.hasSuffix("OrNull"): .null
                case .integer: .integer(Int64(max(0, number - first)))
                case .large: "-9223372036854775808"
                case .largeUnsigned: "18446744073709551615"
                case .boolean: true
                case .float: 1.5
                case .decimal: "922337203685477.5807"
                case .dateTime: "2026-01-31T08:00:00"
                case .guid: "00000000-0000-0000-0000-000000000001"
                case .bytes: "AAE="
                case .text, .unknown: "é"
                }
            return (field.key, value)
        }
        return JSONObject(members).text
    }

    /// The values of the hostile fields, and the last one before them.
    private static var expected: String { "AAE= None " + names.indices.map { "\($0)" }.joined(separator: " ") + "\n" }

    /// Writes the code, and after it a program that uses it, into a directory.
    private static func write(
        _ language: CodeLanguage,
        _ name: String,
        _ program: String
    ) throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        directory.write(Array((RowCode.code(for: try tables(), in: language) + program).utf8), to: name)
        return directory
    }

    @Test("Python: mypy accepts it, and it reads a row", .enabled(if: Requirement.allMet([.program("mypy")]), "mypy"))
    func python() async throws {
        let program = """


            import json
            import dataclasses

            print(*list(dataclasses.astuple(All.from_row(json.loads(input()))))[-\(Self.names.count + 2):])

            """
        let directory = try Self.write(.python, "rows.py", program)
        let path = directory.path(of: "rows.py")
        try await Command(["mypy", "--strict", "--cache-dir", directory.path(of: "cache"), path]).succeed()
        #expect(try await Command(["/usr/bin/python3", path]).succeed(input: Self.row() + "\n") == Self.expected)
    }

    @Test("Swift: it compiles without a warning, and reads a row")
    func swift() async throws {
        let program = """

            let row = try JSONValue(parsing: readLine()!).objectValue!
            let values = Mirror(reflecting: try All(row: row)).children.map { child in
                let text = "\\(child.value)"
                return text == "nil" ? "None" : text.replacing("Optional(", with: "")
            }
            print(values.suffix(\(Self.names.count + 2)).joined(separator: " "))

            """
        let directory = try Self.write(.swift, "main.swift", program)
        let path = directory.path(of: "rows")
        let build = """
            exec swiftc -swift-version 6 -warnings-as-errors ${RELATIVITYD_SANITIZE:+-sanitize=$RELATIVITYD_SANITIZE} \
            -I '\(Products.path(of: "Modules"))' \
            '\(directory.path(of: "main.swift"))' '\(Products.path(of: "JSON.build"))'/*.swift.o -o '\(path)'
            """
        try await Command(["sh", "-c", build]).succeed(deadline: .seconds(120))
        #expect(try await Command([path]).succeed(input: Self.row() + "\n") == Self.expected)
    }

    @Test(
        "TypeScript: tsc accepts it, and it reads a row",
        .enabled(if: Requirement.allMet([.program("node"), .program("tsc")]), "node-typescript")
    )
    func typescript() async throws {
        let program = """
            const { All, rowOf } = require("./rows.js")
            const input = JSON.parse(require("fs").readFileSync(0, "utf8"))
            const fields = Object.keys(input).map((name) => ({ name }))
            const values = Object.values(All.fromRow(rowOf(fields, Object.values(input))))
            console.log(values.slice(-\(Self.names.count + 2)).map((each) => each ?? "None").join(" "))

            """
        let directory = try Self.write(.typescript, "rows.ts", "")
        directory.write(Array(program.utf8), to: "program.js")
        let options = #"{"compilerOptions": {"strict": true, "target": "es2020", "module": "commonjs", "types": []}}"#
        directory.write(Array(options.utf8), to: "tsconfig.json")
        try await Command(["tsc", "--project", directory.path]).succeed(deadline: .seconds(60))
        let output = try await Command(["node", directory.path(of: "program.js")]).run(input: Self.row())
        #expect(output.standardOutput == Self.expected, "\(output.standardError)")
    }

    @Test("programs for hostile names are valid", .enabled(if: Requirement.allMet([.program("mypy")]), "mypy"))
    func programs() async throws {
        var server = ClientCode.Server()
        server.endpoint = "x\"\n\\(exit(1))'''"
        (server.login, server.schema, server.isAnonymous) = ("--login", "*/", true)
        let code = ClientCode(server, tables: try Self.tables(), package: "/x\"\n")
        let directory = TemporaryDirectory()
        let files = try #require(code.files(in: .python)) + #require(code.files(in: .swift))
        for file in files {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            directory.write(Array(file.text.utf8), to: name)
        }
        try await Command(
            [
                "mypy", "--strict", "--config-file", Sources.root + "/python/pyproject.toml", "--cache-dir",
                directory.path(of: "cache"), directory.path(of: "client.py"),
            ],
            environment: ["MYPYPATH": Sources.root + "/python/src", "PATH": "/usr/bin:/bin"]
        ).succeed()
        try await Command(["swiftc", "-frontend", "-parse", directory.path(of: "Package.swift")]).succeed()
        try await Command(
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I",
                Products.path(of: "Modules"), directory.path(of: "Program.swift"), directory.path(of: "Rows.swift"),
            ]
        ).succeed(deadline: .seconds(60))
    }
}
