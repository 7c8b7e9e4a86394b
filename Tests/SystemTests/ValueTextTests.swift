// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A table of every type with edge values, as each program shows it.
@Suite(
    "The text of a value in all programs",
    .enabled(
        if: Requirement.allMet([.program("systemd-socket-activate"), .program("tmux")], for: "the texts of values"),
        "systemd-socket-activate, tmux"
    ),
    .timeLimit(.minutes(3))
)
struct ValueTextTests {
    /// A field with three values: as the database of the sample server has them, and as text.
    private struct Field {
        let name: String
        let type: String
        let stored: [String]
        let texts: [String]

        init(_ name: String, _ type: String, _ stored: [String], _ texts: [String]? = nil) {
            (self.name, self.type, self.stored, self.texts) = (name, type, stored, texts ?? stored)
        }
    }

    private static let fields = [
        Field("B", "Boolean", ["0", "1", "1"], ["false", "true", "true"]),
        Field("By", "Byte", ["0", "255", "7"]), Field("Sh", "ShortInt", ["-128", "127", "0"]),
        Field("Wo", "Word", ["0", "65535", "1"]), Field("Sm", "SmallInt", ["-32768", "32767", "0"]),
        Field("I", "Integer", ["-2147483648", "2147483647", "0"]), Field("Ca", "Cardinal", ["0", "4294967295", "1"]),
        Field("La", "LargeInt", ["-9223372036854775808", "9223372036854775807", "9007199254740993"]),
        Field("LU", "LargeUInt", ["0", "9223372036854775807", "9007199254740993"]),
        Field("F", "Float", ["1431.51", "1e300", "0.1"], ["1431.51", "1e+300", "0.1"]),
        Field("SF", "SingleFloat", ["0.5", "1.5e20", "0.1"], ["0.5", "1.5e+20", "0.1"]),
        Field(
            "C",
            "Currency",
            ["-9223372036854775808", "14315100", "1"],
            ["-922337203685477.5808", "1431.5100", "0.0001"]
        ),
        Field(
            "D",
            "Decimal",
            ["'-79228162514264337593543950335'", "'1.50'", "'0.0000000000000000000000000001'"],
            ["-79228162514264337593543950335", "1.50", "0.0000000000000000000000000001"]
        ),
        Field(
            "T1",
            "DateTime",
            ["-693593.0", "45292.5", "-53688.25"],
            ["0001-01-01T00:00:00", "2024-01-01T12:00:00", "1753-01-01?-53688.25"]
        ),
        Field(
            "T2",
            "DateTime",
            ["45292.0", "2958465.0", "3000000.0"],
            ["2024-01-01T00:00:00", "9999-12-31T00:00:00", "9999-99-99?3000000.0"]
        ),
        Field(
            "G",
            "Guid",
            [
                "'01234567-89AB-CDEF-0123-456789ABCDEF'", "'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'",
                "'00000000-0000-0000-0000-000000000000'",
            ],
            [
                "01234567-89AB-CDEF-0123-456789ABCDEF", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
                "00000000-0000-0000-0000-000000000000",
            ]
        ),
        text("S", "String", ["a,\"b", "", " é"]), text("M", "Memo", ["NULL", "\\N", "it's"]),
        text("Fc", "FixedChar", ["x", "2024-01-01", "1"]), text("W", "WideString", ["€ 😀", "", "=1+2"]),
        text("WM", "WideMemo", ["漢", "'", "null"]), text("FW", "FixedWideChar", ["ß", "<>", "true"]),
        text("X", "Xml", ["<a/>", "<b c=\"d\"/>", "<e>é</e>"]),
        Field("Bl", "Blob", ["x'00ff'", "x''", "x'61'"], ["AP8=", "", "YQ=="]),
    ]

    private static func text(_ name: String, _ type: String, _ texts: [String]) -> Field {
        Field(name, type, texts.map { "'" + $0.replacing("'", with: "''") + "'" }, texts)
    }

    /// Reads a file of CSV or TSV, and prints a JSON array of rows of texts.
    private static let reader = """
        import csv, json, sys
        rows = csv.reader(open(sys.argv[2], newline=""), delimiter="," if sys.argv[1] == "csv" else "\\t")
        print(json.dumps(list(rows)[1:]))
        """

    private let deployment = Deployment()

    private func start() async throws {
        let list = Self.fields.map { "{ name = \"\($0.name)\", type = \"\($0.type)\", size = 100 }" }
        let catalog = """
            [[domain]]
            name = "DASamples"
            [[domain.schema]]
            name = "Simple"
            database = "values.sqlite"
            [[domain.schema.table]]
            name = "T"
            field = [{ name = "Id", type = "Integer", key = true }, \(list.joined(separator: ", "))]
            [[account]]
            user = "simple"
            password = "simple"
            [[account.right]]
            domain = "DASamples"
            schema = "Simple"
            """
        var sql = "create table T (Id integer primary key, \(Self.fields.map(\.name).joined(separator: ", ")));"
        for row in 0..<3 {
            sql += "insert into T values (\(row + 1), \(Self.fields.map { $0.stored[row] }.joined(separator: ", ")));"
        }
        sql += "insert into T (Id) values (4);"
        _ = try await Command(["sqlite3", deployment.home.path(of: "values.sqlite"), sql]).succeed()
        deployment.home.write(Array(catalog.utf8), to: "catalog.toml")
        try await deployment.startWithLogin("--catalog", deployment.home.path(of: "catalog.toml"))
    }

    /// Rows of a file as the other reader sees them.
    private func rows(_ kind: String, _ path: String) async throws -> [[String?]] {
        let output = try await Command(["python3", "-c", Self.reader, kind, path]).succeed()
        return try #require(JSONValue(parsing: output).arrayValue).map { try #require($0.arrayValue).map(text) }
    }

    /// The text of a value; nil for null.
    private func text(_ value: JSONValue) -> String? { value == nil ? nil : value.stringValue ?? value.text }

    /// The texts of a row, without the key.
    private static func texts(_ row: Int) -> [String?] { fields.map { row < 3 ? $0.texts[row] : nil } }

    @Test("get in each format, the API, edit, update, pending changes and browse show one text")
    func texts() async throws {
        try await start()
        let expected = (0..<4).map { ["\($0 + 1)"] + Self.texts($0) }
        try await checkFiles(expected)
        let helper = try await DataHelper(deployment)
        let read = try helper.connect().rows(
            "Read",
            ["server": ["endpoint": "sample"], "table": "T", "order": ["Id"], "numbersAsText": true]
        )
        #expect(read.rows.map { $0.map(text) } == expected, "Data API")
        try await checkEdits()
        try await checkScreen()
    }

    private func checkFiles(_ expected: [[String?]]) async throws {
        for format in ["csv", "tsv", "json", "jsonl"] {
            let path = deployment.home.path(of: "rows.\(format)")
            let isSeparated = format == "csv" || format == "tsv"
            let null = isSeparated ? ["--null", "<null>"] : []
            let get = ["table", "get", "sample", "T", "--sort", "Id", "--to", path, "-q"] + null
            let written = try await deployment.relctl(get)
            try #require(written.status == 0, "\(written)")
            let found: [[String?]]
            switch format {
            case "csv", "tsv":
                found = try await rows(format, path).map { $0.map { $0 == "<null>" ? nil : $0 } }
            default:
                let content = TextFile.text(of: path)
                let array = format == "json" ? content : "[\(content.split(separator: "\n").joined(separator: ","))]"
                let objects = try #require(JSONValue.parsingNumbersAsText(Array(array.utf8)).arrayValue)
                found = try objects.map { try #require($0.objectValue).map { text($0.value) } }
            }
            #expect(found == expected, "\(format)")
        }
    }

    /// The old and the new texts by field of the only change that a command prints as JSON.
    private func change(_ words: [String]) async throws -> [String: [String?]] {
        let output = try await deployment.relctl(words + ["--json"])
        try #require(output.status == 0, "\(output)")
        let object = try #require(JSONValue.parsingNumbersAsText(Array(output.standardOutput.utf8)).objectValue)
        let fields = try #require(try object.objects("changes").first).objects("fields")
        return try Dictionary(
            uniqueKeysWithValues: fields.map { field in
                (try field.string("name"), [text(field["old"] ?? .null), text(field["new"] ?? .null)])
            }
        )
    }

    private func checkEdits() async throws {
        let editable = Self.fields.filter { $0.type != "Blob" }
        for (row, other) in [(0, 1), (1, 2), (2, 0)] {
            let assignments = editable.map { "\($0.name)=\($0.texts[other])" }
            var expected: [String: [String?]] = [:]
            for field in editable where field.texts[row] != field.texts[other] {
                expected[field.name] = [field.texts[row], field.texts[other]]
            }
            let update = ["table", "update", "sample", "T", "\(row + 1)"] + assignments
            #expect(try await change(update + ["--dry-run"]) == expected)
            let pending = deployment.home.path(of: "pending\(row)")
            let kept = try await deployment.relctl(update + ["--pending", pending])
            try #require(kept.status == 0, "\(kept)")
            #expect(try await change(["table", "pending", "list", pending]) == expected)
            let listed = try await deployment.success("table", "pending", "list", pending)
            for name in ["C", "D", "T1", "T2", "La"] {
                let values = (expected[name] ?? []).map { $0 ?? "" }.joined(separator: " -> ")
                #expect(listed.contains("  \(name): \(values)\n"), "\(listed)")
            }

            let copy = deployment.home.path(of: "copy")
            let words = [Products.path(of: "relctl"), "table", "edit", "sample", "T", "\(row + 1)"]
            let environment = deployment.environment.merging(["EDITOR": "f() { cp \"$1\" \(copy); }; f"]) { $1 }
            let edited = try await Command(words, environment: environment).run()
            #expect(edited.standardError.contains("nothing to change"), "\(edited)")
            let lines = TextFile.text(of: copy).split(separator: "\n")
            for field in editable {
                let line = "\(field.name) = \(JSONValue.string(field.texts[row]).text)"
                #expect(lines.contains { $0 == line }, "\(line)\n\(lines.joined(separator: "\n"))")
            }
        }
    }

    private func checkScreen() async throws {
        let terminal = try await TmuxSession(deployment, columns: 700, lines: 12)
        try await terminal.enter("relctl table browse sample T")
        for row in 0..<3 {
            // The last one is at the end of the screen.
            try await terminal.wait(for: Self.fields[0].texts[row], "q quit")
            let shown = try await terminal.screen()
            for field in Self.fields where field.type != "Blob" && !field.texts[row].isEmpty {
                let texts = field.texts[row].split(separator: " ")
                #expect(shown.contains { line in texts.allSatisfy { line.contains($0) } }, "\(field.name) \(shown)")
            }
        }
        try await terminal.keys("q")
        try await terminal.waitForShell()
    }
}
