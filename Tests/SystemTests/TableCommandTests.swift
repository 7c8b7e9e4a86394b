// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Tables from the command line", .timeLimit(.minutes(3)))
struct TableCommandTests {
    private let deployment = Deployment()

    @Test("rows that only one of two tables has are named")
    func differences() async throws {
        try await deployment.startWithLogin()
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
    }

    @Test("an explained command shows its requests, and neither reads nor writes rows")
    func explained() async throws {
        try await deployment.startWithLogin()
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
            ["table", "export", "sample", "Users", "Deps", "--to", file, "--explain"]
        )
        let all = "sent: a request for all rows and fields"
        #expect(lines(export) == ["table: Users", all, "table: Deps", all], "\(export)")
        #expect(access(file, F_OK) != 0 && access("\(file).part", F_OK) != 0)
        let count = try await deployment.relctl("table", "count", "sample", "Deps", "--explain")
        #expect(lines(count) == ["statement sent: SELECT COUNT(*) AS N FROM \"Deps\""], "\(count)")
        let part = try await deployment.json("table", "count", "sample", "Deps", "Users", "--local", "--explain")
        #expect(part.arrayValue?.count == 2 && part.arrayValue?[1].objectValue?["fields sent"] == "Id", "\(part)")
    }

    @Test("tables are exported, and a reply that stays away ends the call")
    func export() async throws {
        try await deployment.startWithLogin("--delay", "1500")
        let file = deployment.home.path(of: "export.db")
        let late = try await deployment.relctl("table", "export", "sample", "Users", "--to", file, "--timeout", "1s")
        #expect(late.status == 75, "\(late)")
        #expect(access(file, F_OK) != 0)
        #expect(try await deployment.relctl("table", "export", "sample", "Users", "Deps", "--to", file).status == 0)
        let count = try await Command(["sqlite3", file, "select count(*) from Users"]).succeed()
        #expect(count == "30\n")
    }
}
