// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The programs in docs/examples that edit tables work unchanged.
@Suite("The examples that edit tables", .timeLimit(.minutes(3)))
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
        let started = try await deployment.startWithLogin()
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
        try await started.daemon.end()
    }

    @Test("the order editor: dates, states by name, and a new order with its lines")
    func orderEditor() async throws {
        let daemon = try await deployment.startDaemon()
        let server = try await deployment.startServer()
        try await deployment.success("add", "shop", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        let login = [
            Products.path(of: "relctl"), "login", "add", "shop", "--user", "Data", "--domain", "PCTrade Sample",
            "--schema", "PCTrade", "--password-stdin", "--allow-plaintext", "--pin",
            try await deployment.fingerprint(of: "shop"),
        ]
        let added = try await Command(login, environment: deployment.environment).run(input: "Relativity\n")
        #expect(added.status == 0, "\(added)")

        #expect(try await run("order_editor.sh", "shop", "state", "7", "Paid").status == 0)
        #expect(try await run("order_editor.sh", "shop", "date", "7", "2026-05-06T10:00").status == 0)
        let unknown = try await run("order_editor.sh", "shop", "state", "7", "Lost")
        #expect(unknown.status == 64 && unknown.standardError.contains("no state 'Lost'"), "\(unknown)")
        let order = try await run("order_editor.sh", "shop", "add", "1", "2026-05-07", "3=12.50", "4=7")
        #expect(order.status == 0 && order.standardError == "", "\(order)")
        let lines = order.standardOutput.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("inserted Orders OrderId="), "\(order)")
        let key = lines[0].split(separator: "=")[1]
        #expect(lines[1] == "inserted OrderDetails Order=\(key),Product=3", "\(order)")
        let list = try await run("order_editor.sh", "shop", "list").standardOutput
        #expect(list.contains("\n7  2026-05-06T10:00:00  Paid\n"), "\(list)")
        #expect(list.hasSuffix("\n\(key)  2026-05-07T00:00:00  New\n"), "\(list)")
        try await daemon.end()
    }
}
