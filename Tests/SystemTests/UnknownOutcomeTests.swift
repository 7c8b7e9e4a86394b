// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite(
    "Changes whose reply is withheld",
    .enabled(if: Requirement.allMet([.program("/usr/bin/python3")], for: "replies"), "needs Debian's python3"),
    .timeLimit(.minutes(2))
)
struct UnknownOutcomeTests {
    private static let sentence = "relctl: error: the server may have made the changes or not: "

    private let deployment = Deployment()

    /// A server behind a proxy that withholds the replies to the first calls of a method, and prints `held` for each.
    private func start(withholding count: Int, _ method: String) async throws -> ServerBehindProxy {
        let server = try await ServerBehindProxy("broken_reply", in: deployment)
        try await server.prepare("withhold \(method) \(count)")
        return server
    }

    private func departments() async throws -> [String] {
        let text = try await deployment.success("table", "get", "sample", "Deps", "--format", "csv", "-q")
        return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    /// Waits for the end of relctl.
    private func end(of relctl: ChildProcess) async throws -> (status: Int32, errors: String) {
        try await BlockingWork.run {
            var errors: [UInt8] = []
            while case let bytes = relctl.readErrors(), !bytes.isEmpty { errors += bytes }
            return (relctl.wait(), String(decoding: errors, as: UTF8.self))
        }
    }

    @Test("a lock of the vault is no reason to repeat a change that was sent; one that was not sent may be repeated")
    func lock() async throws {
        let server = try await start(withholding: 1, "UpdateData")
        let insert = try deployment.background("table", "insert", "sample", "Deps", "DepName=Once")
        #expect(try await server.line() == "held")
        try await deployment.success("vault", "lock")
        let inserted = try await end(of: insert)
        #expect(inserted.status == 18, "\(inserted)")
        #expect(inserted.errors.contains(Self.sentence), "\(inserted)")
        #expect(try await deployment.relctl("table", "insert", "sample", "Deps", "DepName=Never").status == 3)
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        #expect(try await departments().filter { $0.contains("Once") || $0.contains("Never") }.count == 1)
    }

    @Test("a read that the lock of the vault ends may be repeated")
    func lockedRead() async throws {
        let server = try await start(withholding: 1, "GetData")
        let read = try deployment.background("table", "get", "sample", "Deps")
        #expect(try await server.line() == "held")
        try await deployment.success("vault", "lock")
        #expect(try await end(of: read).status == 3)
    }

    @Test("a command of the schema without a reply has an unknown outcome too")
    func command() async throws {
        let server = try await start(withholding: 1, "ExecuteCommandEx")
        let command = try deployment.background("command", "run", "sample", "SetDepPhone", "DepId=1", "Phone:text=007")
        #expect(try await server.line() == "held")
        try await deployment.success("vault", "lock")
        let run = try await end(of: command)
        #expect(run.status == 18 && run.errors.contains(Self.sentence), "\(run)")
    }

    @Test("after a signal the outcome of a change that was sent is unknown, and its rows are shown")
    func signals() async throws {
        let server = try await start(withholding: 3, "UpdateData")
        for (signal, name) in [(SIGINT, "First"), (SIGTERM, "Second")] {
            let insert = try deployment.background("table", "insert", "sample", "Deps", "DepName=\(name)")
            #expect(try await server.line() == "held")
            insert.signal(signal)
            let end = try await end(of: insert)
            #expect(end.status == 128 + signal, "\(end)")
            #expect(end.errors.contains(Self.sentence + "the call was interrupted\n"), "\(end)")
            #expect(end.errors.contains("was made: the row exists\n"), "\(end)")
        }
        deployment.home.write(Array("DepName\nThird\nFourth\n".utf8), to: "d.csv")
        let path = deployment.home.path(of: "d.csv")
        let rows = try deployment.background("table", "import", "sample", "Deps", path)
        #expect(try await server.line() == "held")
        rows.signal(SIGINT)
        let imported = try await end(of: rows)
        #expect(imported.status == 128 + SIGINT, "\(imported)")
        #expect(imported.errors.contains("at line 2: the server may have made the changes or not: "), "\(imported)")
        #expect(try await departments().count == 8)
    }

    @Test("a signal ends an import that waits for its input")
    func waiting() async throws {
        try await deployment.startWithLogin()
        let rows = try deployment.background("table", "import", "sample", "Deps", "/dev/stdin")
        rows.write("DepName\nNever\n")
        try await eventually { deployment.requests(of: "DataService.GetData") > 0 }
        rows.signal(SIGINT)
        #expect(try await end(of: rows).status == 128 + SIGINT)
        #expect(try await departments().count == 4)
    }
}
