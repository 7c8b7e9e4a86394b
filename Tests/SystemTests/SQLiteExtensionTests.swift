// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

extension Deployment {
    /// The path of the extension that ships, or of one that is compiled now.
    func sqliteExtension() async throws -> String {
        let shipped = Products.path(of: "relativity.so")
        guard Products.released == nil else { return shipped }
        let folder = home.path(of: "built")
        try await Command(["make", "-s", "-C", Sources.root, "extension", "STRIPPED=\(folder)"]).succeed()
        return folder + "/relativity.so"
    }
}

@Suite("The extension of SQLite", .timeLimit(.minutes(3)))
struct SQLiteExtensionTests {
    private static let fields = [
        #"name = "Id", type = "Integer", key = true"#, #"name = "Name", type = "WideString", size = 50"#,
        #"name = "Amount", type = "Currency""#, #"name = "Exact", type = "Decimal""#,
        #"name = "Ratio", type = "Float""#,
        #"name = "Small", type = "SingleFloat""#, #"name = "At", type = "DateTime""#,
        #"name = "Done", type = "Boolean""#,
        #"name = "Large", type = "LargeInt""#, #"name = "Picture", type = "Blob""#,
    ]
    private static let rows = """
        create table t (Id integer primary key, Name, Amount, Exact, Ratio, Small, At, Done, Large, Picture);
        insert into t values (1, 'Köln', 123400, '1.50', 0.1, 0.5, 45292.5, 1, 9223372036854775807, x'00ff'),
            (2, '', -50000, '-3', 1e300, 0.1, 45292.0, 0, -9223372036854775808, x''),
            (3, null, null, null, null, null, null, null, null, null), (4, 'it''s ]', 1, '0.25', 2, 2, -693593.0, 1, 5, null);
        """

    private let deployment = Deployment()
    private let extensionPath: String

    init() async throws { extensionPath = try await deployment.sqliteExtension() }

    private func start(_ fields: [String] = fields, _ sql: String = rows) async throws {
        try await deployment.startWithLogin(try await deployment.tableOptions(fields, sql: sql))
        deployment.own(try await DataHelper(deployment).program)
    }

    private func shell(_ statements: String..., database: String = ":memory:") async throws -> Command.Output {
        let input = ".load \(extensionPath)\n.mode list\n" + statements.map { $0 + "\n" }.joined()
        return try await Command(["sqlite3", "-bail", database], environment: deployment.environment).run(input: input)
    }

    private func answer(_ statements: String..., database: String = ":memory:") async throws -> String {
        let attach = database == ":memory:" ? "create virtual table temp.t using relativity('sample', 'T');\n" : ""
        let output = try await shell(attach + statements.joined(separator: "\n"), database: database)
        #expect(output.standardError == "")
        return output.standardOutput
    }

    @Test("values of every kind are exact")
    func values() async throws {
        try await start()
        #expect(
            try await answer(
                "select Id, Name, Amount, Exact, Ratio, Small, At, Done, Large, hex(Picture) from t where Id in (1, 2, 4);"
            ) == """
                1|Köln|12.34|1.5|0.1|0.5|2024-01-01T12:00:00|1|9223372036854775807|00FF
                2||-5|-3|1.0e+300|0.100000001490116|2024-01-01T00:00:00|0|-9223372036854775808|
                4|it's ]|0.0001|0.25|2.0|2.0|0001-01-01T00:00:00|1|5|

                """
        )
        #expect(
            try await answer("select count(*), count(Name), count(Picture), max(typeof(At)) from t;") == "4|3|2|text\n"
        )
        #expect(
            try await answer("select typeof(Amount), typeof(Exact) from t where Id < 3;")
                == "real|real\ninteger|integer\n"
        )
    }

    private static let conditions = [
        "Id = 2", "Id > 1.5 and Id < 4", "Id = '2'", "Name = 'Köln'", "Name > 'K'", "Name = 'it''s ]'", "Name = ''",
        "Name is null", "Name is not null", "Name = null", "Name like 'k%'", "Name = 'KÖLN' collate nocase",
        "Amount = 12.34", "Amount > 12.34", "Amount >= 0.1 + 0.2", "Amount < 1e308 * 10", "Exact = 1.5",
        "Exact <= -3",
        "Ratio = 0.1", "Ratio > 1e299", "Small = 0.1", "Small > 0.1", "At = '2024-01-01T12:00:00'",
        "At >= '2024-01-01'",
        "At > '2024-01-01T00:00:00' and At < '2024-01-02T00:00:00'", "At < '1000'", "At > '1899-12-29T12:00:00'",
        "At < '2024-01-01T12:00:00.000'", "At <= '2024-01-01T12:00:00.000'", "At > '2024-01-01T12:00:00.000'",
        "At = '2024-01-01T12:00:00.000'", "At < '2024-06-31T23:59:59'", "At > '2023-02-29T00:00:00'",
        "At > '0000-01-01T00:00:00'", "At < '2024-01-01T24:00:00'", "At > '1800-01-01T00:00:00.500'",
        "Done = 1", "Done", "Large = 5",
        "Id = 1 or Name = 'Köln'", "Large > 9223372036854775806", "Picture is null", "Picture = x'00ff'",
        "Id = 1 or Name is null",
        "Id + 1 = 2",
    ]

    @Test("a condition finds the rows that it finds in a table of SQLite")
    func conditions() async throws {
        try await start()
        let pairs = Self.conditions.map { condition in
            ["t", "c"].map { "select group_concat(Id) from (select Id from \($0) where \(condition) order by Id);" }
                .joined()
        }
        let found = try await answer("create table c as select * from t;", pairs.joined(separator: "\n"))
        let lines = found.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        try #require(lines.count == 2 * Self.conditions.count, "\(found)")
        for (index, condition) in Self.conditions.enumerated() {
            #expect(lines[2 * index] == lines[2 * index + 1], "\(condition)")
        }
        #expect(Set(lines).count > 8, "rows are found")
    }

    @Test("a whole number of more than 15 digits is compared exactly")
    func longNumbers() async throws {
        try await start(
            [Self.fields[0], Self.fields[3]],
            """
            create table t (Id integer primary key, Exact);
            insert into t values (1, '1000000000000001'), (2, '9007199254740993'), (3, '-1000000000000001');
            """
        )
        for (condition, found) in [
            ("Exact = 1000000000000001.0", "1"), ("Exact <= 1000000000000001.0", "1,3"),
            ("Exact > 9007199254740992.0", "2"), ("Exact >= -1000000000000001.0", "1,2,3"), ("Exact < 1e15", "3"),
        ] {
            let rows = "(select Id from t where \(condition) order by Id)"
            #expect(try await answer("select group_concat(Id) from \(rows);") == found + "\n", "\(condition)")
        }
    }

    @Test("conditions, order and limit reduce what is read")
    func pushed() async throws {
        let numbers =
            "create table t (Id integer primary key, Name); with recursive n(x) as (select 1 union all select x + 1 from n"
        try await start(
            Array(Self.fields.prefix(2)),
            numbers + " where x < 60000) insert into t select x, 'row ' || x from n;"
        )
        for (statement, expected) in [
            ("select Name from t where Id = 5;", "row 5\n"),
            ("select Id from t order by Id desc limit 2;", "60000\n59999\n"),
            ("select count(*) from t;", "60000\n"), ("select Id from t limit 1;", "1\n"),
            ("select Id from t order by Id limit 2 offset 3;", "4\n5\n"),
            // SQLite does not show a condition of two fields, which rows within the limit may fail.
            ("select Id from t where Id > length(Name) limit 2;", "6\n7\n"),
            ("select Id from t where Id <> length(Name) order by Id limit 6;", "1\n2\n3\n4\n6\n7\n"),
            ("select exists(select 1 from t where Id = length(Name) + 59990);", "1\n"),
        ] { #expect(try await answer(statement) == expected, "\(statement)") }
        let plan = try await answer("explain query plan select Name from t where Id = 5 order by Id desc limit 10;")
        #expect(plan.contains("e0;-0") && !plan.contains("TEMP B-TREE"), "\(plan)")
        // A reading that ended early leaves no adapter.
        try await eventually { try await deployment.json("adapter", "list") == [] }
    }

    @Test("NULL has the place in an order that it has in SQLite")
    func nulls() async throws {
        try await start()
        for field in ["Ratio", "At"] {
            for order in ["\(field)", "\(field) desc", "\(field) desc, Id desc"] {
                let found = try await answer(
                    "create table c as select * from t;",
                    "select group_concat(Id) from (select Id from t order by \(order));",
                    "select group_concat(Id) from (select Id from c order by \(order));"
                ).split(separator: "\n")
                #expect(found.count == 2 && found[0] == found[1], "\(order): \(found)")
            }
        }
    }

    @Test("a join asks for the schema once, and not for each scan")
    func requests() async throws {
        try await start([Self.fields[0], Self.fields[3]])
        let before = deployment.requests(of: "DataService.GetSchema")
        #expect(try await answer("select sum(b.Exact) from t a left join t b on b.Id = a.Id + 0;") == "-1.25\n")
        #expect(deployment.requests(of: "DataService.GetData") >= 5)
        #expect(deployment.requests(of: "DataService.GetSchema") == before + 1)
    }

    @Test("relativity_attach makes all tables, and tables of two servers are joined")
    func attach() async throws {
        try await start()
        let other = try await deployment.startServer()
        try await deployment.success("add", "other", "127.0.0.1:\(other.port)")
        #expect(try await deployment.addLogin(to: "other").status == 0)
        let output = try await shell(
            "select relativity_attach('sample');",
            "select relativity_attach('other') > 1;",
            "select Name, DepName from T join Deps on Deps.DepId = T.Id where T.Id = 1;"
        )
        #expect(output.standardError == "")
        #expect(output.standardOutput.hasPrefix("1\n1\nKöln|"))
    }

    @Test("relativity_attach hides no table of the user, and may be called again")
    func attachTwice() async throws {
        try await deployment.startWithLogin()
        deployment.own(try await DataHelper(deployment).program)
        let output = try await shell(
            "create table deps (a);",
            "select relativity_attach('sample');",
            "select relativity_attach('sample');",
            "select count(*) from deps;",
            "drop table deps;",
            "select relativity_attach('sample');",
            "create temp table other (a);"
        )
        #expect(output.standardError == "")
        let lines = output.standardOutput.split(separator: "\n")
        try #require(lines.count == 4, "\(output)")
        #expect(lines[0] == lines[1] && lines[2] == "0", "\(lines)")
        let count = try #require(Int(lines[3]), "all of them")
        #expect(lines[0].hasPrefix("\(count - 1), without these, whose names the database has already: Deps; "))
    }

    @Test("a join reads a large table once for each row of a small one, in either order")
    func joins() async throws {
        let numbers = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 20000)"
        try await start(
            [Self.fields[0], #"name = "DepId", type = "Integer""#],
            "create table t (Id integer primary key, DepId); insert into t \(numbers) select x, x % 4 + 1 from n;"
        )
        let other = try await deployment.startServer()
        try await deployment.success("add", "other", "127.0.0.1:\(other.port)")
        #expect(try await deployment.addLogin(to: "other").status == 0)
        let tables = "create virtual table temp.d using relativity('other', 'Deps');"
        for join in ["t join d on d.DepId = t.DepId", "d join t on t.DepId = d.DepId"] {
            let before = deployment.requests(of: "DataService.GetData")
            #expect(try await answer(tables, "select count(*), sum(t.Id) from \(join);") == "20000|200010000\n")
            let readings = deployment.requests(of: "DataService.GetData") - before
            #expect(readings < 20, "\(join)")
        }
    }

    @Test("a database with tables of a server has no login, and only direct statements read it")
    func database() async throws {
        try await start()
        let path = deployment.home.path(of: "shop.db")
        try await deployment.success("sqlite", "new", path, "sample")
        #expect(try await answer("select Name from T where Id = 1;", database: path) == "Köln\n")
        let login = try await shell(
            "create virtual table x using relativity('\(Deployment.login)', 'T');",
            database: path
        )
        #expect(login.standardError.contains("a database names no login"))
        let view = try await shell("create view v as select * from T;", "select * from v;", database: path)
        #expect(view.standardError.contains("unsafe use of virtual table"))
        let trigger = "create table l (a); create view w as select relativity_attach('sample'); select * from w;"
        #expect(try await shell(trigger, database: path).standardError.contains("unsafe use of relativity_attach"))
        #expect(try await shell("delete from T;", database: path).standardError.contains("may not be modified"))
    }

    @Test("an error of the server, of the service or of an argument is the error of the statement")
    func errors() async throws {
        try await start()
        for (statement, text) in [
            ("create virtual table temp.x using relativity('sample', 'None');", "None"),
            ("create virtual table temp.x using relativity('nowhere', 'T');", "nowhere"),
            ("create virtual table temp.x using relativity('sample');", "write: relativity("),
            ("create virtual table temp.x using relativity('sample', 'T', 'a=b');", "no option 'a=b'"),
        ] { #expect(try await shell(statement).standardError.contains(text), "\(statement)") }
        var environment = deployment.environment
        environment["RELATIVITYD_DATA_SOCKET"] = "/nonexistent/data.sock"
        let command = ["sqlite3", ":memory:", ".load \(extensionPath)", "select relativity_attach('sample');"]
        let away = try await Command(command, environment: environment).run()
        #expect(away.standardError.contains("systemctl --user start relativityd-data.socket"))
    }

    @Test("an amount that SQLite cannot store is an error, or a text if the table says so")
    func amounts() async throws {
        let fields = [Self.fields[0], #"name = "C", type = "Currency""#]
        try await start(
            fields,
            "create table t (Id integer primary key, C); insert into t values (1, -9223372036854775808);"
        )
        let table = "create virtual table temp.t using relativity('sample', 'T'"
        #expect(
            try await shell("\(table));", "select C from t;").standardError.contains(
                "make the table with 'amounts=text'"
            )
        )
        #expect(
            try await shell("\(table), 'amounts=text');", "select C from t;").standardOutput
                == "-922337203685477.5808\n"
        )
    }

    @Test("valgrind finds no error and no lost memory")
    func memory() async throws {
        try await start()
        let statements = """
            .load \(extensionPath)
            select relativity_attach('sample');
            select * from T where Id = 1 or Name > 'A' order by Id desc limit 3;
            select count(*), sum(b.Exact) from T a left join T b on b.Id = a.Id + 0;
            select Id, Picture from T where At >= '2024-01-01' limit 1;
            select Id from T where Id > Exact limit 2;
            select * from relativity_status;
            drop table T;
            create virtual table temp.x using relativity('sample', 'None');
            select relativity_attach('nowhere');
            """
        let valgrind = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=99", "--child-silent-after-fork=yes"]
        let command = Command(valgrind + ["sqlite3", ":memory:"], environment: deployment.environment)
        let output = try await command.run(input: statements, deadline: .seconds(90))
        #expect(output.status != 99, "\(output.standardError)")
        #expect(output.standardOutput.hasPrefix("1\n4|it's ]|0.0001|"), "\(output)")
        #expect(output.standardError.contains("no table 'None'"), "\(output)")
    }
}
