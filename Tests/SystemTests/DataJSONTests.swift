// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// `JSONContractTests` has the verbs that use the daemon only.
@Suite("The JSON of the verbs about data", .timeLimit(.minutes(2)))
struct DataJSONTests {
    /// A command for each verb, in an order in which all succeed. `<tmp>` is a directory. With programs of a debug
    /// build they take several seconds.
    private static let commands = [
        "schema show sample", "schema save sample", "schema code sample Deps --language python", "table list sample",
        "table features sample", "table count sample Deps", "table get sample Deps",
        "services sample", "sql sample|select_Id_from_Users_where_Id_<_3", "command list sample",
        "command run sample SetDepPhone DepId=1 Phone:text=007",
        "call sample DataService.GetTableSchema aTableNameArray=Deps", "table diff sample:Deps sample:Deps",
        "table export sample Deps --to <tmp>/deps.db", "table insert sample Deps DepName=Kitchen",
        "table update sample Deps 1 DepName=Trade", "table edit sample Deps 1",
        "table import sample Deps <tmp>/deps.csv",
        "table insert sample Deps DepName=Cellar --pending <tmp>/pending", "table pending list <tmp>/pending",
        "table apply sample --pending <tmp>/pending", "table insert sample Deps DepName=Roof --pending <tmp>/more",
        "table pending drop <tmp>/more", "briefcase save sample Deps --to <tmp>/shop.daBriefcase",
        "briefcase list <tmp>", "briefcase show <tmp>/shop.daBriefcase", "briefcase load <tmp>/shop.daBriefcase Deps",
        "briefcase diff sample <tmp>/shop.daBriefcase", "briefcase refresh sample <tmp>/shop.daBriefcase",
        "briefcase delete <tmp>/shop.daBriefcase", "briefcase keep sample Deps", "briefcase unkeep sample Deps",
        "sqlite new <tmp>/sample.db sample", "table delete sample Deps 4",
        "client new <tmp>/client --language python --endpoint sample",
        // The server refuses a row that it has.
        "table copy sample:Deps sample:Deps",
    ]

    @Test("is one object for each command, which jq reads")
    func objects() async throws {
        let data = VerbUse.others.filter { $0.value == VerbUse.others["table get"] }.keys
        let verbs = Self.commands.map { line in data.first { line.hasPrefix("\($0) ") || line.hasPrefix("\($0)|") } }
        #expect(Set(data).subtracting(verbs.compactMap { $0 }) == ["table watch"])

        let deployment = Deployment()
        try await deployment.startWithLogin()
        mkdir(deployment.home.path(of: "tmp"), 0o700)
        deployment.home.write(Array("DepId,DepName\n2,Sales\n".utf8), to: "tmp/deps.csv")
        for line in Self.commands {
            let words = line.replacing("<tmp>", with: deployment.home.path(of: "tmp")).split(separator: "|")
            var arguments = words[0].split(separator: " ").map(String.init)
            for word in words.dropFirst() { arguments.append(String(word.replacing("_", with: " "))) }
            let output = try await Command(
                [Products.path(of: "relctl")] + arguments + ["--json", "--quiet"],
                environment: deployment.environment.merging(["EDITOR": "sed -i s/Trade/Sales/"]) { $1 }
            ).run()
            #expect(output.status == (line.hasPrefix("table copy") ? 15 : 0), "\(line): \(output)")
            let isOneLine = !["table get", "sql", "briefcase load"].contains { line.hasPrefix($0) }
            #expect(output.standardOutput.split(separator: "\n").count == 1 || !isOneLine, "\(line): \(output)")
            try Self.check(output.standardOutput, line)
        }
        let watch = "'\(Products.path(of: "relctl"))' table watch sample Deps --initial --every 10s --json"
        let lines = try await Command(
            ["sh", "-c", "timeout 10 \(watch) | head -n 2"],
            environment: deployment.environment
        ).succeed().split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines { try Self.check(String(line) + "\n", "table watch") }
    }

    private static func check(_ output: String, _ command: String) throws {
        #expect(output.hasSuffix("\n"), "\(command): \(output)")
        let object = try #require(try JSONValue(parsing: output).objectValue, "\(command): \(output)")
        #expect(object["schemaVersion"] == 1 && object.count > 1, "\(command): \(output)")
    }
}
