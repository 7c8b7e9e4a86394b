// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// The programs in docs/examples that read and edit tables work unchanged.
@Suite("The examples that read and edit tables", .timeLimit(.minutes(3)))
struct TableExampleTests {
    private let deployment = Deployment()

    private func run(_ script: String, _ arguments: String...) async throws -> Command.Output {
        let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
        let path = "/\(programs):" + (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")
        return try await Command(
            ["sh", "\(Sources.root)/docs/examples/\(script)"] + arguments,
            environment: deployment.environment.merging(["PATH": path]) { $1 }
        ).run()
    }

    @Test("the vendor's simple data operations")
    func simpleDataOperations() async throws {
        try await deployment.startWithLogin()
        let output = try await run("simple_data_operations.sh", "sample")
        #expect(
            output.standardOutput == """
                Departments:
                DepName      DepPhone
                Accounting   NULL
                Development  +1 555 0102
                Sales        +1 555 0100
                Support      +1 555 0101
                Inserted:
                DepName   DepPhone
                Security  555
                updated Deps DepId=5
                Updated:
                DepName      DepPhone
                Night watch  NULL
                deleted Deps DepId=5
                Left: 4

                """,
            "\(output)"
        )
    }

    @Test("PCTradeMobile: downloads, work offline, and changes that are applied later")
    func tradeMobile() async throws {
        let (server, port) = try await deployment.startShop(domain: "DASamples")
        let folder = deployment.home.path(of: "orders.briefcase")
        func mobile(_ version: String, _ words: String...) async throws -> Command.Output {
            let program = Products.path(of: "pctrade-mobile")
            return try await Command([program, "shop", folder, version] + words, environment: deployment.environment)
                .run()
        }
        let everything = "downloaded Clients, OrderStatus, Products, Orders, OrderDetails\n"
        let first = try await mobile("1")
        #expect(first.status == 0 && first.standardOutput.hasPrefix(everything), "\(first)")
        #expect(
            first.standardOutput.hasSuffix(
                #" "200"  "2011-04-13T11:01:00"  "Abbott & Jansen"  "Shipped"  "8793.8800""# + "\n"
            )
        )
        let second = try await mobile("1")
        #expect(
            second.standardOutput
                == first.standardOutput.replacing(everything, with: "downloaded Orders, OrderDetails\n")
        )
        let newVersion = try await mobile("2")
        #expect(newVersion.standardOutput == "version 1 is outdated\n" + first.standardOutput)
        let order = try await mobile("2", "add", "3", "1=2", "5=1")
        #expect(order.standardOutput.hasSuffix("\n3 applied, 0 failed, 1 calls\n"), "\(order)")

        try await server.end()
        let offline = try await mobile("2", "add", "4", "2=3")
        #expect(offline.standardOutput.hasPrefix("offline: rows of 20"), "\(offline)")
        #expect(offline.standardOutput.hasSuffix("\n2 changes pending\n"), "\(offline)")
        let pending = try await mobile("2")
        #expect(pending.standardOutput.contains("\n*\"-1\"  "), "\(pending)")
        #expect(pending.standardOutput.contains(#""Hansen & Fischer"  "New"  "1619.6700""#), "\(pending)")
        let unusable = try await mobile("3")
        #expect(unusable.status == 1 && unusable.standardError.contains("no tables of version 3"), "\(unusable)")

        try await deployment.startServer(port: port)
        var applied = try await mobile("2", "apply")
        // The daemon tries an unreachable server again after 5 seconds at the latest.
        try await eventually {
            guard applied.standardOutput.hasPrefix("offline") else { return true }
            applied = try await mobile("2", "apply")
            return false
        }
        #expect(applied.standardOutput.hasSuffix("\n2 applied, 0 failed, 1 calls\n"), "\(applied)")
        let last = try await mobile("2").standardOutput
        #expect(last.contains(#" "202"  "#) && !last.contains("*"), "\(last)")
    }

    @Test("the order editor: dates, states by name, and a new order with its lines")
    func orderEditor() async throws {
        try await deployment.startShop(domain: "PCTrade Sample")
        #expect(try await run("order_editor.sh", "shop", "state", "7", "Paid").status == 0)
        #expect(try await run("order_editor.sh", "shop", "date", "7", "2026-05-06T10:00").status == 0)
        let unknown = try await run("order_editor.sh", "shop", "state", "7", "Lost")
        #expect(unknown.status == 64 && unknown.standardError.contains("no state 'Lost'"), "\(unknown)")
        let order = try await run("order_editor.sh", "shop", "add", "1", "2026-05-07", "3=12.50", "4=7")
        let note = "relctl: login 'Data@shop', the only one\n"
        #expect(order.status == 0 && order.standardError == note, "\(order)")
        let lines = order.standardOutput.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("inserted Orders OrderId="), "\(order)")
        let key = lines[0].split(separator: "=")[1]
        #expect(lines[1] == "inserted OrderDetails Order=\(key),Product=3", "\(order)")
        let list = try await run("order_editor.sh", "shop", "list").standardOutput
        #expect(list.contains("\n7  2026-05-06T10:00:00  Paid\n"), "\(list)")
        #expect(list.hasSuffix("\n\(key)  2026-05-07T00:00:00  New\n"), "\(list)")
    }

    /// The filters of dynamic_where.sh, as SQL.
    private static let conditions = [
        ("remote, a clause in XML", "Type = 3"),
        ("remote, a predicate", "instr(Role, 'Manager')"),
        ("remote, a compound predicate", "Role = 'Manager' AND Name GLOB 'J*' OR Id IN (20, 22, 24)"),
        ("local, case and accents ignored", "Role LIKE '%manager%' OR Name GLOB 'Zoë*'"),
        ("local, a range and a negation", "Id BETWEEN 5 AND 25 AND Type NOT IN (1, 2)"),
    ]

    @Test(
        "the vendor's DynamicWhere: three remote and two local filters give the rows that sqlite3 gives",
        .enabled(if: Requirement.allMet([.program("sqlite3")]), "needs sqlite3"),
        arguments: [[], ["--as", "delphi", "--collation", "nocase", "--rows", "500"]]
    )
    func dynamicWhere(_ options: [String]) async throws {
        try await deployment.startWithLogin(options)
        let output = try await run("dynamic_where.sh", "sample", "json")
        #expect(output.status == 0, "\(output)")
        let parts = "\n\(output.standardOutput)".split(separator: "\n# ")
            .map { $0.split(separator: "\n", maxSplits: 1) }
        #expect(parts.map { String($0[0]) } == Self.conditions.map(\.0))
        for (part, (title, condition)) in zip(parts, Self.conditions) {
            let sql = "SELECT Id, Name, Role, Type FROM Users WHERE \(condition) ORDER BY Id"
            let database = deployment.home.path(of: "server/sample.sqlite")
            let expected = try await Command(["sqlite3", "-json", database, sql]).succeed()
            let rows = try #require(try JSONValue(parsing: expected).arrayValue)
            #expect(try !rows.isEmpty && JSONValue(parsing: String(part[1])).arrayValue == rows, "\(title)")
        }
        let notes = ["filtered", "sorted"].map { "relctl: note: sample: rows of Users are \($0) here: as --local says" }
        let found = output.standardError.split(separator: "\n").map(String.init).filter { !$0.contains("login") }
        #expect(found == notes + notes, "only the local filters are evaluated here")
    }
}
