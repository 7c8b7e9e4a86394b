// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Writing with the extension of SQLite", .timeLimit(.minutes(3)))
struct SQLiteWriteTests {
    private static let fields = [
        #"name = "Id", type = "AutoInc", key = true"#,
        #"name = "Name", type = "WideString", size = 50, required = true"#,
        #"name = "Amount", type = "Currency""#, #"name = "Ratio", type = "Float""#, #"name = "At", type = "DateTime""#,
        #"name = "Done", type = "Boolean""#, #"name = "Large", type = "LargeInt""#, #"name = "Picture", type = "Blob""#,
    ]
    private static let rows = """
        create table t (Id integer primary key, Name not null, Amount, Ratio, At, Done, Large, Picture);
        insert into t values (1, 'one', 10000, 0.1, 45292.5, 1, 9223372036854775807, x'00ff'), (2, 'two', 20000, 1e300, 45292.0, 0, 5, x''),
            (3, 'three', null, null, null, null, null, null);
        """

    private let deployment = Deployment()
    private let extensionPath: String

    init() async throws { extensionPath = try await deployment.sqliteExtension() }

    private func start(_ fields: [String] = fields, _ sql: String = rows) async throws -> DataHelper {
        try await deployment.startWithLogin(try await deployment.tableOptions(fields, sql: sql))
        return try await DataHelper(deployment)
    }

    private func opened(writes: Bool = true) async throws -> SQLiteSession {
        let session = try SQLiteSession(extensionPath, of: deployment)
        try await session.run("create virtual table temp.t using relativity('sample', 'T')")
        if writes { try await session.run("select relativity_write(1)") }
        return session
    }

    /// Runs a statement on the file of the server.
    @discardableResult
    private func server(_ sql: String) async throws -> String {
        let database = deployment.home.path(of: "shop.sqlite")
        return try await Command(["sqlite3", "-cmd", ".timeout 5000", database, sql]).succeed()
    }

    private func pendingSets(_ helper: DataHelper) throws -> [JSONObject] {
        let reply = try helper.connect().call("ListPending", [:]).object("parameters")
        return (reply["sets"]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    @Test("a transaction sees its changes, and the server has them at its end, with values of every kind")
    func transaction() async throws {
        let helper = try await start()
        let session = try await opened()
        try await session.run(
            "begin",
            "insert into t (Name, Amount, Ratio, At, Done, Large, Picture) values ('new', 12.34, 0.1, '2024-01-31T08:00:00', 1, -9007199254740993, x'0102')",
            "insert into t (Name) values ('it''s ]')",
            "update t set Amount = Amount + 0.25, Done = not Done where Id in (1, 2)",
            "update t set Name = 'deux' where Id = 2",
            "delete from t where Id = 3"
        )
        #expect(try await session.answer("select last_insert_rowid()") == "[[-2]]")
        let all = "select Id, Name, Amount, Ratio, At, Done, Large, hex(Picture) from t order by Id"
        let seen = try await session.answer(all)
        let expected = [
            #"[-2, "it's ]", null, null, null, null, null, ""]"#,
            #"[-1, "new", 12.34, 0.1, "2024-01-31T08:00:00", 1, -9007199254740993, "0102"]"#,
            #"[1, "one", 1.25, 0.1, "2024-01-01T12:00:00", 0, 9223372036854775807, "00FF"]"#,
            #"[2, "deux", 2.25, 1e+300, "2024-01-01T00:00:00", 1, 5, ""]"#,
        ]
        #expect(seen == "[" + expected.joined(separator: ", ") + "]")
        for (condition, found) in [
            ("Id = 2", "[[2]]"), ("Name = 'two'", "[]"), ("Name = 'deux'", "[[2]]"), ("Amount > 2", "[[2], [-1]]"),
            ("Id < 0", "[[-1], [-2]]"), ("Amount is null", "[[-2]]"), ("Id = 3", "[]"),
        ] { #expect(try await session.answer("select Id from t where \(condition) order by Id desc") == found) }
        #expect(try await session.answer("select Id from t order by Id desc limit 2") == "[[2], [1]]")
        #expect(try await session.answer("select count(*) from t") == "[[4]]")
        #expect(try await server("select count(*) from t where Name in ('new', 'deux')") == "0\n", "nothing was sent")

        try await session.run("commit")
        #expect(try pendingSets(helper).isEmpty)
        #expect(
            try await session.answer("select relativity_key(-1), relativity_key(-2, 'T'), relativity_key(-3)")
                == "[[4, 5, null]]"
        )
        #expect(try await session.answer("select last_insert_rowid()") == "[[5]]")
        #expect(
            try await session.answer(all)
                == "["
                + [expected[2], expected[3], expected[1], expected[0]].joined(separator: ", ")
                .replacing("[-1,", with: "[4,").replacing("[-2,", with: "[5,") + "]"
        )
        #expect(
            try await server("select Id, Amount, Large, hex(Picture) from t where Id > 3")
                == "4|123400|-9007199254740993|0102\n5|||\n"
        )
        // The key of a new row that the transaction has changed again.
        try await session.run(
            "begin",
            "insert into t (Name) values ('a')",
            "update t set Name = 'again' where Id < 0",
            "commit"
        )
        #expect(try await session.answer("select last_insert_rowid(), relativity_key(-1)") == "[[6, 6]]")
        // A statement alone is a transaction.
        try await session.run("insert into t (Name) values ('alone')")
        #expect(try await session.answer("select last_insert_rowid(), relativity_key(-1)") == "[[7, 7]]")
        // A row whose removal the set has already, and then a new row with a key of the server.
        try await session.run("begin", "delete from t where Id = 2")
        #expect(try await session.answer("select count(*) from t where Id = 2") == "[[0]]")
        try await session.run(
            "insert into t (Id, Name, Amount) values (2, 'made again', 10.1)",
            "insert into t (Name) values ('next')",
            // 11.110000000000001
            "update t set Amount = Amount * 1.1 where Id = 2",
            "commit"
        )
        #expect(
            try await server("select Id, Name, Amount from t where Id = 2 or Name = 'next' order by Id")
                == "2|made again|111100\n8|next|\n"
        )
    }

    @Test("savepoints and rollbacks take back a part, or all")
    func savepoints() async throws {
        let helper = try await start()
        let session = try await opened()
        let names = "select group_concat(Name) from (select Name from t order by Id)"
        try await session.run("begin", "insert into t (Name) values ('a')", "savepoint one")
        try await session.run("insert into t (Name) values ('b')", "update t set Name = 'uno' where Id = 1")
        #expect(try await session.answer(names) == #"[["b,a,uno,two,three"]]"#)
        try await session.run("savepoint two", "delete from t where Id < 0")
        #expect(try await session.answer(names) == #"[["uno,two,three"]]"#)
        try await session.run("rollback to two")
        #expect(try await session.answer(names) == #"[["b,a,uno,two,three"]]"#)
        try await session.run("rollback to one", "insert into t (Name) values ('c')")
        #expect(try await session.answer(names) == #"[["c,a,one,two,three"]]"#)
        try await session.run("release one", "savepoint three", "delete from t", "rollback to three", "commit")
        #expect(
            try await server("select group_concat(Name) from (select Name from t order by Id)") == "one,two,three,a,c\n"
        )

        // Two tables that are written to after the savepoint.
        try await session.run("create virtual table temp.u using relativity('sample', 'T')")
        try await session.run("begin", "savepoint both", "insert into t (Name) values ('d')")
        try await session.run("insert into u (Name) values ('e'), ('f')", "rollback to both")
        #expect(try await session.answer(names) == #"[["one,two,three,a,c"]]"#)
        try await session.run("commit")

        try await session.run("begin", "delete from t")
        #expect(try await session.answer("select count(*) from t") == "[[0]]")
        try await session.run("rollback")
        #expect(try await session.answer("select count(*) from t") == "[[5]]")
        // A new row that is removed again leaves no set, and the next one has a key of its own.
        try await session.run("begin", "insert into t (Name) values ('x')", "delete from t where Name = 'x'")
        #expect(try await session.answer("select count(*) from t") == "[[5]]")
        try await session.run("insert into t (Name) values ('y')")
        #expect(try await session.answer("select Id, last_insert_rowid() from t where Name = 'y'") == "[[-2, -2]]")
        // A statement that fails in its middle changes nothing.
        let failed = try await session.answer("update t set Name = case Id when 2 then x'00' else 'z' end")
        #expect(failed.hasPrefix("IntegrityError: the field 'Name'"), "\(failed)")
        #expect(try await session.answer("select count(*) from t where Name = 'z'") == "[[0]]")
        try await session.run("rollback")
        #expect(try pendingSets(helper).isEmpty)
        #expect(deployment.requests(of: "DataService.UpdateData") == 1)

        // The set that a removal has left without changes is made again.
        try await session.run("begin", "insert into t (Name) values ('g')", "savepoint s")
        try await session.run("delete from t where Name = 'g'")
        #expect(try await session.answer("select count(*) from t") == "[[5]]")
        try await session.run("rollback to s", "commit")
        #expect(try await server("select Id, Name from t where Id > 5") == "6|g\n")
    }

    @Test("edits that leave no changes end, also in several calls, and new rows have their keys then")
    func noChanges() async throws {
        let helper = try await start(
            [
                #"name = "Id", type = "AutoInc", key = true"#, #"name = "Name", type = "Memo""#,
                #"name = "V", type = "Integer""#,
            ],
            """
            create table t (Id integer primary key, Name, V integer);
            with recursive n(x) as (select 1 union all select x + 1 from n where x < 80)
            insert into t select x, printf('%04000d', x), 1 from n;
            """
        )
        let session = try await opened()
        try await session.run("begin", "update t set V = 1")
        #expect(try await session.answer("select count(*) from t") == "[[80]]")
        try await session.run("commit")
        #expect(deployment.requests(of: "DataService.UpdateData") == 0)

        try await session.run("begin", "insert into t (Name) values (printf('%.180000c', 'a'))")
        try await session.run("delete from t where Id < 0")
        #expect(try await session.answer("select count(*) from t") == "[[80]]")
        try await session.run("insert into t (Name) values (printf('%.100000c', 'b'))")
        #expect(try await session.answer("select Id, length(Name) from t where Id < 0") == "[[-2, 100000]]")
        try await session.run("commit")
        #expect(try await session.answer("select relativity_key(-1), relativity_key(-2)") == "[[null, 81]]")
        #expect(try await server("select Id, length(Name) from t where Id > 80") == "81|100000\n")
        #expect(try pendingSets(helper).isEmpty)
    }

    @Test("a row that another client has changed is a conflict, and nothing of the transaction is applied")
    func conflict() async throws {
        let helper = try await start()
        let session = try await opened()
        for (change, text) in [
            ("update t set Name = 'theirs' where Id = 1", "another client changed T 1: Name was 'one' and is 'theirs'"),
            ("delete from t where Id = 1", "T has no row 1"),
        ] {
            try await session.run(
                "begin",
                "update t set Amount = 7 where Id = 1",
                "insert into t (Name) values ('mine')",
                "delete from t where Id = 2",
                "select count(*) from t"
            )
            try await server(change)
            let error = try await session.answer("commit")
            #expect(error == "IntegrityError: conflict, nothing was changed: \(text)")
            #expect(try await server("select count(*) from t where Name = 'mine' or Id = 2") == "1\n")
            #expect(try await session.answer("rollback").contains("no transaction is active"))
            #expect(try pendingSets(helper).isEmpty)
        }
        // The row changes between the statement and the moment when the set reads it.
        for (statement, was, theirs) in [
            ("update t set Name = Name || '!' where Id = 2", "two", "other"),
            ("delete from t where Id = 2", "other", "third"),
        ] {
            try await session.run("begin", statement)
            try await server("update t set Name = '\(theirs)' where Id = 2")
            let error = try await session.answer("commit")
            let text = "another client changed T 2: Name was '\(was)' and is '\(theirs)'"
            #expect(error == "IntegrityError: conflict, nothing was changed: \(text)")
            #expect(try await server("select Name from t where Id = 2") == "\(theirs)\n")
        }
        // A Blob, too.
        for statement in ["update t set Picture = x'01' where Id = 2", "delete from t where Id = 2"] {
            try await session.run("begin", statement)
            try await server("update t set Picture = x'02' || Picture where Id = 2")
            let error = try await session.answer("commit")
            let text = "IntegrityError: conflict, nothing was changed: another client changed T 2: Picture was"
            #expect(error.hasPrefix(text), "\(error)")
        }
        #expect(deployment.requests(of: "DataService.UpdateData") == 0)
    }

    @Test("a number is the same text in a field of text as in SQLite")
    func numbersAsTexts() async throws {
        _ = try await start()
        let session = try await opened()
        for (number, text) in [("3.3", "3.3"), ("0.1", "0.1"), ("1.0", "1.0"), ("5", "5"), ("1e300", "1.0e+300")] {
            try await session.run("update t set Name = \(number) where Id = 1")
            #expect(try await server("select Name from t where Id = 1") == "\(text)\n")
        }
        try await session.run("update t set Amount = 92233720368547.75 where Id = 1")
        #expect(try await server("select Amount from t where Id = 1") == "922337203685477500\n")
    }

    @Test("a lost reply leaves the changes in a pending set, and nothing is sent again")
    func lost() async throws {
        let options = try await deployment.tableOptions(Self.fields, sql: Self.rows)
        let proxy = try await ServerBehindProxy("wrong_reply", in: deployment, server: options)
        let helper = try await DataHelper(deployment)
        let session = try await opened()
        try await proxy.prepare("UpdateData close")
        try await session.run("begin", "update t set Name = 'uno' where Id = 1", "insert into t (Name) values ('new')")
        let error = try await session.answer("commit")
        #expect(error.hasPrefix("OperationalError: outcome unknown: the pending set 'sqlite-"), "\(error)")
        let sets = try pendingSets(helper)
        try #require(sets.count == 1)
        let name = try sets[0].string("name")
        #expect(error.contains("'\(name)'"))
        let reply = try helper.connect().call("GetPending", ["pending": .string(name)]).object("parameters")
        let outcomes = (reply["changes"]?.arrayValue ?? []).compactMap { $0.objectValue?["outcome"]?.stringValue }
        #expect(outcomes == ["unknown", "unknown"])
        try await proxy.prepare("UpdateData right")
        #expect(try await session.answer("commit").contains("no transaction is active"))
        #expect(try await session.answer("select count(*) from t where Name in ('uno', 'new')") == "[[2]]")
        try await session.run("update t set Name = 'dos' where Id = 2")
        #expect(deployment.requests(of: "DataService.UpdateData") == 2)
        #expect(try pendingSets(helper).count == 1)
        #expect(try await server("select count(*) from t where Name = 'new'") == "1\n")
    }

    @Test("what a table of a server cannot do is refused, and changes nothing")
    func refused() async throws {
        let helper = try await start()
        let reader = try await opened(writes: false)
        let off = try await reader.answer("delete from t")
        #expect(off.contains("may not be modified: call relativity_write(1)"), "\(off)")
        let other = try await deployment.startServer()
        try await deployment.success("add", "other", "127.0.0.1:\(other.port)")
        #expect(try await deployment.addLogin(to: "other").status == 0)
        let session = try await opened()
        try await session.run("create virtual table temp.d using relativity('other', 'Deps')", "create table local (a)")
        for (statement, text) in [
            ("insert or replace into t (Id, Name) values (1, 'x')", "OR REPLACE"),
            ("insert or ignore into t (Id, Name) values (1, 'x')", "OR IGNORE"),
            ("update or replace t set Name = 'x'", "OR REPLACE"),
            ("replace into t (Name) values ('x')", "OR REPLACE"),
            ("update t set Id = Id + 10", "the key of a row cannot be changed"),
            ("update t set rowid = 9 where Id = 1", "rowid of a row cannot be changed"),
            ("insert into t (rowid, Name) values (9, 'x')", "cannot have a rowid"),
            ("insert into t (Amount) values (1)", "must have a value"),
            ("insert into t (Name, Amount) values ('x', 'much')", "'much'"),
            ("insert into t (Name, At) values ('x', 'noon')", "noon"),
            ("insert into t (Name, Done) values ('x', 2)", "the field 'Done'"),
            ("insert into t (Id, Name) values (1, 'x')", "Id"),
            ("insert into t (Name) values ('x') returning Id", "RETURNING: a table of a server has no such rows"),
            ("update t set Name = 'x' where Id = 1 returning Name", "RETURNING"),
            ("select relativity_write('yes')", "write: relativity_write(1)"),
            ("select relativity_write(2)", "write: relativity_write(1)"),
        ] {
            let error = try await session.answer(statement)
            #expect(error.contains("Error: ") && error.contains(text), "\(statement): \(error)")
        }
        let local = "writes to the local database 'main'"
        for (first, second, text) in [
            ("update t set Name = 'x' where Id = 1", "delete from d", "writes to 'sample' and not also to 'other'"),
            ("insert into local values (1)", "delete from t", local),
            ("delete from t", "insert into local values (1)", local),
            ("create temp table l (a)", "delete from t", ""),
        ] {
            try await session.run("begin", first)
            let error = try await session.answer(second)
            let end = try await session.answer("commit")
            #expect(text.isEmpty || error.contains(text) || end.contains(text), "\(second): \(error) \(end)")
            _ = try await session.answer("rollback")
            guard text.isEmpty else { continue }
            try await server(Self.rows.replacing("create table t", with: "drop table t; create table t"))
        }
        try await session.run("begin", "delete from t", "create temp table m (a)")
        try await session.run("insert into m values (1), (2), (3), (4)")
        #expect(try await session.answer("commit").contains("and to local ones"))
        #expect(try await server("select count(*), max(Name) from t") == "3|two\n")
        #expect(try await session.answer("select count(*) from local") == "[[1]]", "the one that was committed alone")
        #expect(try pendingSets(helper).isEmpty)
    }

    @Test("a transaction in a file that another connection reads sends nothing, and its COMMIT can be repeated")
    func readFile() async throws {
        let helper = try await start()
        let path = deployment.home.path(of: "tables.sqlite")
        let session = try SQLiteSession(extensionPath, path, of: deployment)
        try await session.run("create table local (x)", "create virtual table t using relativity('sample', 'T')")
        try await session.run("select relativity_write(1)", "pragma busy_timeout = 50")
        let reader = try SQLiteSession(extensionPath, path, of: deployment)
        try await reader.run("begin", "select * from local")
        let busy = "OperationalError: nothing was sent: another connection reads the file of 'main'"
        #expect(try await session.answer("insert into t (Name) values ('once')") == busy)
        try await session.run("begin", "insert into t (Name) values ('once')")
        #expect(try await session.answer("commit") == busy)
        #expect(deployment.requests(of: "DataService.UpdateData") == 0)
        try await reader.run("commit")
        try await session.run("commit", "pragma journal_mode = wal")
        // In this mode a reader disturbs no writer.
        try await reader.run("begin", "select * from local")
        try await session.run("insert into t (Name) values ('twice')")
        #expect(try await server("select group_concat(Name) from t where Id > 3") == "once,twice\n")
        #expect(try pendingSets(helper).isEmpty)
    }

    @Test("a table that a transaction has written to is not dropped in it, and one that it has made is not written to")
    func madeAndDropped() async throws {
        _ = try await start()
        let session = try await opened()
        try await session.run("begin", "insert into t (Name) values ('kept')")
        #expect(try await session.answer("drop table t") == "OperationalError: database table is locked")
        try await session.run("savepoint s", "create virtual table temp.u using relativity('sample', 'T')")
        #expect(
            try await session.answer("insert into u (Name) values ('lost')")
                == "OperationalError: the table 'u' was made in this transaction: commit first"
        )
        try await session.run("commit", "insert into u (Name) values ('next')", "drop table t", "drop table u")
        #expect(try await server("select group_concat(Name) from t where Id > 3") == "kept,next\n")
    }

    @Test("a condition whose meaning is another one at the server, or that is too long, is tested here")
    func conditions() async throws {
        _ = try await start()
        try await server("insert into t (Id, Name) values (4, 'Łódź')")
        let session = try SQLiteSession(extensionPath, of: deployment)
        try await session.run("pragma encoding = 'UTF-16le'", "create virtual table t using relativity('sample', 'T')")
        #expect(try await session.answer("select Name from t where Name < 'a'") == #"[["Łódź"]]"#)
        #expect(try await session.answer("select Id from t where Name = 'Łódź'") == "[[4]]")
        #expect(try await session.answer("select Id from t where Name = printf('%.70000c', 'a')") == "[]")
    }

    @Test("rows of a table with a key of text and number are changed, and 3,000 rows in one transaction")
    func keys() async throws {
        let helper = try await start(
            [
                #"name = "Code", type = "WideString", size = 20, key = true"#,
                #"name = "Part", type = "Integer", key = true"#, #"name = "Text", type = "WideString", size = 20"#,
            ],
            """
            create table t (Code, Part integer, Text, primary key (Code, Part));
            insert into t values ('Köln', 1, 'a'), ('Köln', 2, 'b'), ('it''s', 1, 'c');
            """
        )
        let session = try await opened()
        try await session.run("begin", "update t set Text = 'B' where Code = 'Köln' and Part = 2")
        try await session.run(
            "update t set Text = Text || Text where Code = 'Köln'",
            "delete from t where Code = 'it''s'"
        )
        try await session.run("insert into t values ('new', 1, 'n')", "update t set Text = 'N' where Code = 'new'")
        #expect(
            try await session.answer("select group_concat(Text) from (select Text from t order by Text)")
                == #"[["BB,N,aa"]]"#
        )
        try await session.run("commit")
        #expect(try await server("select group_concat(Text) from (select Text from t order by Text)") == "BB,N,aa\n")

        let numbers = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 3000)"
        let many = "insert into t \(numbers) select 'many', x, printf('%020d', x) from n"
        try await session.run("begin", many)
        #expect(try await session.answer("select count(*), max(Part) from t where Code = 'many'") == "[[3000, 3000]]")
        try await session.run("commit")
        #expect(try await server("select count(*) from t where Code = 'many'") == "3000\n")
        #expect(try pendingSets(helper).isEmpty)
        let most = numbers.replacing("3000", with: "10001")
        let tooMany = try await session.answer("insert into t \(most) select 'more', x, null from n")
        #expect(tooMany.contains("at most 10000 changes"), "\(tooMany)")
    }

    @Test("the sqlite3 shell writes, and valgrind finds no error and no lost memory")
    func shell() async throws {
        let helper = try await start()
        let statements = """
            .load \(extensionPath)
            select relativity_attach('sample'), relativity_write(1);
            begin;
            insert into T (Name, Picture) values ('a', x'0102'), ('b', null);
            update T set Name = Name || '!' where Id > 0;
            savepoint s;
            delete from T where Id = 1;
            select group_concat(Name) from (select Name from T order by Id);
            rollback to s;
            delete from T where Id = 2;
            commit;
            select group_concat(Id) from (select Id from T order by Id);
            update T set Amount = 'much' where Id = 1;
            insert or ignore into T (Name) values ('x');
            begin;
            delete from T;
            select count(*) from T;
            rollback;
            select count(*), relativity_key(-1) from T;
            """
        let valgrind = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=99", "--child-silent-after-fork=yes"]
        let command = Command(valgrind + ["sqlite3", ":memory:"], environment: deployment.environment)
        let output = try await command.run(input: statements, deadline: .seconds(90))
        #expect(output.status != 99, "\(output.standardError)")
        #expect(output.standardOutput == "1|1\nb,a,two!,three!\n1,3,4,5\n0\n4|\n", "\(output)")
        #expect(
            try await server("select group_concat(Name) from (select Name from t order by Id)") == "one!,three!,a,b\n"
        )
        #expect(try pendingSets(helper).isEmpty)
    }
}
