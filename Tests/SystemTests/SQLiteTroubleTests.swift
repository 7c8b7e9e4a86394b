// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("The extension of SQLite without a server, and cut short", .timeLimit(.minutes(3)))
struct SQLiteTroubleTests {
    private static let fields = [
        #"name = "Id", type = "Integer", key = true"#, #"name = "Name", type = "WideString", size = 50"#,
        #"name = "Amount", type = "Currency""#, #"name = "Exact", type = "Decimal""#,
        #"name = "At", type = "DateTime""#,
    ]
    private static let rows = """
        create table t (Id integer primary key, Name, Amount, Exact, At);
        insert into t values (1, 'Köln', 123400, '1.50', 45292.5), (2, '', -50000, '-3', 45292.0);
        insert into t (Id) values (3);
        """

    private let deployment = Deployment()
    private let extensionPath: String
    private var database: String { deployment.home.path(of: "shop.db") }

    init() async throws { extensionPath = try await deployment.sqliteExtension() }

    /// Starts a server with the table, and makes a file with its virtual table.
    private func start(
        _ sql: String = rows
    ) async throws -> (helper: DataHelper, server: (program: Supervised, port: Int), options: [String]) {
        let options = try await deployment.tableOptions(Self.fields, sql: sql)
        let started = try await deployment.startWithLogin(options)
        let helper = try await DataHelper(deployment)
        deployment.own(helper.program)
        try await deployment.success("sqlite", "new", database, "sample")
        return (helper, (started.server, started.port), options)
    }

    private func shell(_ statements: String, database: String) async throws -> Command.Output {
        let input = ".load \(extensionPath)\n.mode list\n\(statements)\n"
        return try await Command(["sqlite3", "-bail", database], environment: deployment.environment).run(input: input)
    }

    @Test("kept tables are read while the server is away, and relativity_status shows it")
    func kept() async throws {
        let (_, server, options) = try await start()
        try await deployment.success("briefcase", "keep", "sample", "T", "-q")
        let (all, status) = ("select * from T order by Id;", "select state, saved, reason from relativity_status;")
        let session = try SQLiteSession(extensionPath, database, of: deployment)
        let live = try await session.answer(all)
        #expect(live.contains("Köln") && live.contains("12.34") && live.contains("2024-01-01T12:00:00"), "\(live)")
        #expect(try await session.answer(status) == #"[["live", null, null]]"#)

        try await server.program.end()
        #expect(try await session.answer(all) == live)
        let kept = try await session.answer(status)
        #expect(kept.hasPrefix(#"[["kept", "20"#) && kept.contains("the server cannot be reached"), "\(kept)")
        for condition in ["Id = 1", "Name = 'Köln'", "Amount > 12", "Exact <= -3", "At >= '2024-01-01T12:00:00'"] {
            let found = try await session.answer("select Id from T where \(condition) order by Id desc limit 1;")
            #expect(found == (condition == "Exact <= -3" ? "[[2]]" : "[[1]]"), "\(condition)")
        }
        // Without the server also the fields are those of the kept table.
        let second = try await shell("\(all)\n\(status)", database: database)
        #expect(second.standardError == "" && second.standardOutput.contains("1|Köln|12.34|1.5|2024-01-01T12:00:00"))
        #expect(second.standardOutput.contains("\nkept|20"), "\(second)")
        let attach = "select relativity_attach('sample');\nselect count(*) from T;"
        let attached = try await shell(attach, database: ":memory:")
        #expect(attached.standardOutput == "1\n3\n", "\(attached)")

        try await deployment.startServer(options, port: server.port)
        try await eventually(within: 20) {
            _ = try await session.answer(all)
            return try await session.answer(status) == #"[["live", null, null]]"#
        }
        try await deployment.success("briefcase", "unkeep", "sample", "-q")
    }

    @Test("a server that is away is an error if the table is not kept")
    func away() async throws {
        let (_, server, _) = try await start()
        let session = try SQLiteSession(extensionPath, database, of: deployment)
        #expect(try await session.answer("select count(*) from T;") == "[[3]]")
        try await server.program.end()
        let error = try await session.answer("select count(*) from T;")
        #expect(error.contains("the server cannot be reached"), "\(error)")
        let other = try await shell("select * from T;", database: database)
        #expect(other.standardError.contains("the server cannot be reached"), "\(other)")
        #expect(try await shell("select relativity_attach('sample');", database: ":memory:").status != 0)
    }
}
