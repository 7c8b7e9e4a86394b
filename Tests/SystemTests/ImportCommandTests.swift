// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Imports from the command line", .timeLimit(.minutes(3)))
struct ImportCommandTests {
    private let deployment = Deployment()

    private static let fields = [
        "name = 'Id', type = 'Integer', key = true", "name = 'Name', type = 'WideString', size = 40",
        "name = 'At', type = 'DateTime', dates = 'text'", "name = 'F', type = 'Float'", "name = 'Data', type = 'Blob'",
    ]

    private static let sql = """
        create table t (Id integer primary key, Name text, At text, F real, Data blob);
        insert into t values (1, 'a,b', '2024-01-01 00:00:00', 1.5, x'414243'), (2, null, null, null, null),
            (3, '', '2024-06-01 12:00:00.500', -1e300, x''), (4, '\\N', '2024-06-01 00:00:00', 9e999, x'00ff'),
            (5, 'NULL' || char(10) || '"x"' || char(9), null, -9e999, null);
        """

    private static let options = ["--anonymous", "--service", "Open", "-q"]

    /// Starts a server with a table, and a daemon that knows it.
    private func start() async throws {
        try await deployment.startTable(Self.fields, sql: Self.sql)
    }

    /// Imports a text as the file `f` without sending anything.
    ///
    /// - Parameter file: the name of the file.
    private func dryRun(_ text: String, _ file: String = "f.csv", _ more: String...) async throws -> Command.Output {
        deployment.home.write(Array(text.utf8), to: file)
        let words = ["table", "import", "sample", "T", deployment.home.path(of: file), "--dry-run", "--json"]
        return try await deployment.relctl(words + Self.options + more)
    }

    private func message(_ output: Command.Output) throws -> String {
        let object = try JSONValue(parsing: output.standardOutput).objectValue ?? [:]
        return try object.objects("failures").map { "\(try $0.integer("line")): \(try $0.string("message"))" }.joined()
    }

    private func unchanged(_ output: Command.Output) throws -> Int64 {
        guard output.status == 0 else { return -1 }
        return try (JSONValue(parsing: output.standardOutput).objectValue ?? [:]).integer("unchanged")
    }

    @Test("forms of other programs are taken, and what is refused is shown with its line, field, value and form")
    func forms() async throws {
        try await start()
        for (text, more) in [
            ("Id,F\n1.0,1.50\n", []), ("sep=;\nId;F\n1;1.5\n", []),
            ("Id;F\n1;1,5\n", ["--delimiter", ";", "--decimal", ","]),
            ("Id,At\n1,2024-01-01 00:00:00.000000\n", []), ("Id,Data\n1,\"QU\nJD\"\n", []),
            ("Id,At\n1,2023-12-31T23:00:00Z\n", ["--zone", "Europe/Berlin"]),
            ("Id,At\n3,2024-06-01T12:00:00.500+05:00\n", ["--zone", "drop"]),
            ("Id,At\n3,2024-06-01T10:00:00.5Z\n", ["--zone", "Europe/Berlin"]),
            ("Id,At\n3,2024-06-01T12:00:00.5Z\n", ["--zone", "Z"]), ("Id,F\n4,Infinity\n5,-inf\n", []),
        ] as [(String, [String])] {
            deployment.home.write(Array(text.utf8), to: "f.csv")
            let words = ["table", "import", "sample", "T", deployment.home.path(of: "f.csv"), "--dry-run", "--json"]
            let read = try await deployment.relctl(words + Self.options + more)
            #expect(try unchanged(read) > 0, "\(text): \(read)")
        }
        for (text, expected) in [
            (
                "Id,F\n1,\"1,5\"\n",
                "2: the value '1,5' of T.F is no Float: expected a number such as -1.5; it has a decimal comma"
            ),
            (
                "Id,At\n\n1,2024-01-01T00:00:00Z\n",
                "3: the value '2024-01-01T00:00:00Z' of T.At is no DateTime: expected a time"
            ),
            ("Id\n1.5\n", "2: the value '1.5' of T.Id is no Integer: expected a whole number"),
            (
                "Id\n3000000000\n",
                "2: T: no Integer in field \"Id\": expected a whole number from -2147483648 to 2147483647"
            ),
        ] {
            let refused = try await dryRun(text)
            #expect(try refused.status == 15 && message(refused).hasPrefix(expected), "\(refused)")
        }
        #expect(
            try message(await dryRun("Id,At\n1,2024-01-01T00:00:00Z\n")).hasSuffix("use --zone ZONE or --zone drop")
        )
        let heading = try await dryRun("Id;F\n1;2\n")
        #expect(
            heading.status == 64 && heading.standardError.contains("Id;F")
                && heading.standardError.contains("--delimiter")
        )
        for (option, value) in [("--zone", "Nowhere"), ("--zone", "../UTC"), ("--zone", "+1"), ("--delimiter", "é")] {
            let wrong = try await dryRun("Id\n1\n", "f.csv", option, value)
            #expect(wrong.status == 64 && wrong.standardOutput == "", "\(option) \(value): \(wrong)")
        }
        let json = try await dryRun("{\"Id\":1}", "f.json", "--null", "x")
        #expect(json.status == 64 && json.standardError.contains("--null, --delimiter and --decimal are for CSV"))
    }

    @Test("a file may be standard input, a pipe or a process substitution")
    func descriptors() async throws {
        try await start()
        let relctl = Products.path(of: "relctl")
        let words = "table import sample T \(Self.options.joined(separator: " ")) --dry-run --json"
        for script in [
            "printf 'Id,F\\n1,1.5\\n' | \(relctl) \(words) /dev/stdin",
            "printf 'Id,F\\n1,1.5\\n' | \(relctl) \(words) -",
            "\(relctl) \(words) <(printf 'Id,F\\n1,1.5\\n')",
            "printf 'skipped\\nId,F\\n1,1.5\\n' > in; { read -r; \(relctl) \(words) /dev/stdin; } < in",
        ] {
            let output = try await Command(
                ["bash", "-c", "cd \"$0\" && \(script)", deployment.home.path(of: "")],
                environment: deployment.environment
            ).run()
            #expect(try unchanged(output) == 1, "\(script): \(output)")
        }
    }
}
