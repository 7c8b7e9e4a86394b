// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Tables from the command line", .timeLimit(.minutes(3)))
struct TableCommandTests {
    @Test("tables, fields and commands are listed")
    func schema() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let tables = try await deployment.success("table", "list", "sample")
        #expect(tables.hasPrefix("TABLE  FIELDS  KEY\n") && tables.contains("\nUsers  4       Id\n"), "\(tables)")
        let listed = try #require(try await deployment.json("table", "list", "sample").arrayValue)
        #expect(listed.compactMap { $0.objectValue?["name"]?.stringValue } == ["Deps", "Users"])
        let fields = try await deployment.success("schema", "show", "sample", "Deps")
        #expect(fields.contains("\nDepId     AutoInc"), "\(fields)")
        let shown = try #require(try await deployment.json("schema", "show", "sample").arrayValue)
        #expect(
            try shown[1].objectValue?.objects("fields").map { try $0.string("name") } == ["Id", "Name", "Role", "Type"]
        )
        #expect(try await deployment.relctl("schema", "show", "sample", "Nope").status == 11)
        let commands = try await deployment.success("command", "list", "sample")
        #expect(commands.contains("SetDepPhone  in DepId: Integer, in Phone: WideString"), "\(commands)")
        let run = try await deployment.success("command", "run", "sample", "SetDepPhone", "DepId=1", "Phone:text=007")
        #expect(run.hasPrefix("1 row\n"), "\(run)")
        let phone = try await deployment.success(
            "table",
            "get",
            "sample",
            "Deps",
            "--where",
            "DepId = 1",
            "--select",
            "DepPhone",
            "--format",
            "csv",
            "-q"
        )
        #expect(phone == "DepPhone\n007\n" || phone == "DepPhone\r\n007\r\n", "\(phone)")
        let refused = try await deployment.relctl("table", "list", "sample", "--schema", "PCTrade")
        #expect(refused.status == 14, "\(refused)")
        try await started.daemon.end()
    }

    @Test("rows are chosen, ordered, limited and printed in each format")
    func rows() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let get = ["table", "get", "sample", "Users"]
        let table = try await deployment.relctl(get + ["--limit", "2", "--select", "Name,Id"])
        #expect(table.standardOutput == "Name   Id\nAda     1\nGrace   2\n", "\(table)")
        let last = try await deployment.relctl(get + ["--sort", "-Id", "--limit", "1", "--format", "jsonl"])
        #expect(last.standardOutput.hasPrefix("{\"Id\":30,"), "\(last)")
        let csv = try await deployment.relctl(get + ["--where", "Id IN {2, 3}", "--select", "Id", "--format", "csv"])
        #expect(csv.standardOutput.split(whereSeparator: \.isNewline) == ["Id", "2", "3"], "\(csv)")
        let page = try await deployment.relctl(get + ["--after", "20", "--limit", "2", "--format", "json"])
        let ids = try JSONValue(parsing: page.standardOutput).arrayValue?.compactMap { $0.objectValue?["Id"] }
        #expect(ids == [21, 22])
        let document = try await deployment.relctl(get + ["--where", "Id != 3", "--json"])
        let object = try #require(try JSONValue(parsing: document.standardOutput).objectValue)
        #expect(try object.array("rows").count == 29)
        #expect(try object.object("evaluated").strings("here") == ["filter"])
        let stream = deployment.home.path(of: "users.bin2")
        #expect(try await deployment.relctl(get + ["--format", "bin2", "--to", stream]).status == 0)
        let decoded = try await deployment.success("wire", "decode", stream)
        #expect(decoded.contains("Grace"))
        #expect(try await deployment.success("table", "count", "sample", "Users", "--where", "Id > 20") == "10\n")
        try await started.daemon.end()
    }

    @Test("what the server cannot do is said, forbidden or bounded")
    func notes() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let get = ["table", "get", "sample", "Users", "--where", "Id != 3"]
        let noted = try await deployment.relctl(get)
        #expect(noted.status == 0 && noted.standardError.hasPrefix("relctl: note: sample: "), "\(noted)")
        #expect(try await deployment.relctl(get + ["-q"]).standardError == "")
        #expect(try await deployment.relctl(get + ["--server-only"]).status == 16)
        #expect(try await deployment.relctl(get + ["--max-read", "5"]).status == 16)
        let explained = try await deployment.relctl(get + ["--explain"])
        #expect(explained.standardOutput.contains("evaluated here: Id != 3"), "\(explained)")
        let wrong = try await deployment.relctl(["table", "get", "sample", "Users", "--where", "Id >"])
        #expect(wrong.status == 64 && wrong.standardError.contains("column 5"), "\(wrong)")
        let unknown = try await deployment.relctl(["table", "get", "sample", "Nope"])
        #expect(unknown.status == 11 && unknown.standardError.contains("no table 'Nope'"), "\(unknown)")
        try await started.daemon.end()
    }

    @Test("statements run one after another, and stop at the first that fails")
    func statements() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let one = try await deployment.success("sql", "sample", "select Id from Users where Id < 3", "--format", "csv")
        #expect(one.split(whereSeparator: \.isNewline) == ["Id", "1", "2"], "\(one)")
        let text = "select Id from Users where Id = 7; select Id from Nope; select Id from Users where Id = 8;"
        let piped = try await deployment.relctl("sql", "sample", input: text)
        #expect(piped.status == 14 && piped.standardOutput == "Id\n 7\n", "\(piped)")
        let file = deployment.home.path(of: "two.sql")
        deployment.home.write(
            Array("select Id from Users where Id = 7; -- ;\nselect DepId from Deps where DepId = 1".utf8),
            to: "two.sql"
        )
        #expect(try await deployment.relctl("sql", "sample", "-f", file).status == 0)
        try await started.daemon.end()
    }

    @Test("tables are compared and copied, and features are found out and kept")
    func tables() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let same = try await deployment.relctl("table", "diff", "sample:Users", "sample:Users")
        #expect(same.status == 0 && same.standardOutput == "", "\(same)")
        let other = ["table", "diff", "sample:Users", "sample:Deps", "--key"]
        #expect(try await deployment.relctl(other + ["Nope"]).status == 64)
        let unlike = try await deployment.relctl("table", "diff", "sample:Users", "sample:Deps")
        #expect(unlike.status == 64 && unlike.standardError.contains("other fields or types"), "\(unlike)")
        // The keys exist already.
        let copy = try await deployment.relctl("table", "copy", "sample:Deps", "sample:Deps")
        #expect(copy.status != 0, "\(copy)")

        let unknown = try await deployment.success("table", "features", "sample")
        #expect(unknown.contains("where      unknown"), "\(unknown)")
        let probed = try await deployment.success("table", "features", "sample", "--probe")
        #expect(probed.contains("where      yes"), "\(probed)")
        #expect(try await deployment.success("table", "features", "sample") == probed)

        try await deployment.success("login", "remove", Deployment.login)
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        let words = ["table", "diff", "sample:Workers", "sample:OrderStatus", "--schema", "PCTrade"]
        let diff = try await deployment.relctl(words)
        #expect(diff.status == 17 && diff.standardOutput.contains("\n- 12: 12, "), "\(diff)")
        let document = try await deployment.relctl(words + ["--json"])
        let object = try #require(try JSONValue(parsing: Array(document.standardOutput.utf8)).objectValue)
        let differences = try object.objects("differences")
        #expect(document.status == 17 && object["first"] == .integer(Int64(differences.count)), "\(document)")
        let last = try #require(differences.last)
        #expect(last["in"] == "first" && last["key"] == ["Id": 12] as JSONValue, "\(document)")
        #expect(last["row"]?.objectValue?["LastName"]?.stringValue != nil, "\(document)")
        try await started.daemon.end()
    }

    @Test("what a server refuses is not tried again, and a read-only one is not asked")
    func learned() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin("--as", "no-where")
        let count = ["table", "count", "sample", "Users"]
        let get = ["table", "get", "sample", "Users", "--where", "Id = 3", "--format", "csv"]
        for command in [count, get] {
            let first = try await deployment.relctl(command)
            #expect(first.status == 0 && first.standardError.contains("the server refused it"), "\(first)")
            let second = try await deployment.relctl(command)
            #expect(second.status == 0 && second.standardError.contains("the server has no "), "\(second)")
            #expect(second.standardOutput == first.standardOutput)
        }
        let known = try await deployment.success("table", "features", "sample")
        #expect(known.contains("where      no\n") && known.contains("sqlText    unknown\n"), "\(known)")
        try await deployment.success("endpoint", "set", "sample", "--read-only", "on")
        let probed = try await deployment.relctl("table", "features", "sample", "Deps", "--probe")
        for feature in ["daSQL      no", "sqlText    no", "commands   no", "events     no", "select     yes"] {
            #expect(probed.standardOutput.contains("\(feature)\n"), "\(probed)")
        }
        #expect(probed.standardError.contains("sample is read-only"), "\(probed)")
        #expect(try await deployment.success("table", "count", "sample", "Users") == "30\n")
        try await started.daemon.end()
    }

    @Test("an explained command shows its requests, and neither reads nor writes rows")
    func explained() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        let file = deployment.home.path(of: "export.db")
        let lines = { (output: Command.Output) in output.standardOutput.split(separator: "\n").map(String.init) }
        let filter = ["--where", "DepId > 3", "--explain"]
        let here = "evaluated here: DepId > 3"
        let copy = try await deployment.relctl(["table", "copy", "sample:Deps", "sample:Deps"] + filter)
        #expect(copy.status == 0 && lines(copy).last == here && !lines(copy).contains("table: Deps"), "\(copy)")
        #expect(deployment.requests(of: "DataService.UpdateData") == 0)
        let diff = try await deployment.relctl(["table", "diff", "sample:Deps", "sample:Deps"] + filter)
        #expect(diff.status == 0 && lines(diff).filter { $0 == here }.count == 2, "\(diff)")
        let export = try await deployment.relctl(
            "table",
            "export",
            "sample",
            "Users",
            "Deps",
            "--to",
            file,
            "--explain"
        )
        let all = "sent: a request for all rows and fields"
        #expect(lines(export) == ["table: Users", all, "table: Deps", all], "\(export)")
        #expect(access(file, F_OK) != 0 && access("\(file).part", F_OK) != 0)
        let count = try await deployment.relctl("table", "count", "sample", "Deps", "--explain")
        #expect(lines(count) == ["statement sent: SELECT COUNT(*) AS N FROM \"Deps\""], "\(count)")
        let part = try await deployment.json("table", "count", "sample", "Deps", "Users", "--local", "--explain")
        #expect(part.arrayValue?.count == 2 && part.arrayValue?[1].objectValue?["fields sent"] == "Id", "\(part)")
        try await started.daemon.end()
    }

    @Test("tables are exported, and a reply that stays away ends the call")
    func export() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin("--delay", "1500")
        let file = deployment.home.path(of: "export.db")
        let late = try await deployment.relctl("table", "export", "sample", "Users", "--to", file, "--timeout", "1s")
        #expect(late.status == 75, "\(late)")
        #expect(access(file, F_OK) != 0)
        #expect(try await deployment.relctl("table", "export", "sample", "Users", "Deps", "--to", file).status == 0)
        let count = try await Command(["sqlite3", file, "select count(*) from Users"]).succeed()
        #expect(count == "30\n")
        try await started.daemon.end()
    }
}
