// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite(
    "Replies that are not those of the call",
    .enabled(if: Requirement.allMet([.program("/usr/bin/python3")], for: "replies"), "needs Debian's python3"),
    .timeLimit(.minutes(3))
)
struct WrongReplyTests {
    private let deployment = Deployment()

    private func start() async throws -> ServerBehindProxy {
        try await ServerBehindProxy("wrong_reply", in: deployment, server: ["--compression", "0"])
    }

    @Test("rows of another table, and rows of a reply that is cut, are no result, with a limit too")
    func otherTable() async throws {
        let server = try await start()
        let path = deployment.home.path(of: "rows.csv")
        for (change, status) in [("table Deps Users", Int32(1)), ("cut 300", 12)] {
            try await server.prepare("GetData \(change)")
            for limit in [[], ["--limit", "2"]] {
                let read = ["table", "get", "sample", "Deps", "--format", "csv", "-q"] + limit
                let written = try await deployment.relctl(read + ["--to", path])
                #expect(written.status == status, "\(change): \(written)")
                #expect(access(path, F_OK) != 0)
                let printed = try await deployment.relctl(read)
                #expect(printed.status == status, "\(change): \(printed)")
                if status == 1 { #expect(printed.standardOutput.isEmpty, "\(printed)") }
            }
        }
    }

    @Test("kept tables replace those of a server that does not answer, not a wrong answer; each fault has one status")
    func keptTables() async throws {
        let server = try await start()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        let read = ["table", "get", "sample", "Deps", "--format", "csv"]
        for (change, status) in [
            ("html", Int32(1)), ("status 404", 1), ("status 401", 1), ("status 503", 1), ("redirect", 1),
            ("cut 40", 12),
        ] {
            try await server.prepare("GetData \(change)")
            let output = try await deployment.relctl(read)
            #expect(output.status == status && output.standardOutput.isEmpty, "\(change): \(output)")
            #expect(!output.standardError.contains("kept"), "\(change): \(output)")
            try await server.prepare("LoginEx \(change)")
            let login = try await deployment.relctl("login", "test", Deployment.login)
            // HTTP has a status for a login that is refused.
            #expect(login.status == (change == "status 401" ? 13 : status), "\(change): \(login)")
            for output in [output, login] where status == 12 {
                let reason = "the server closed the connection before the end of its reply"
                #expect(output.standardError.contains(reason), "\(output)")
            }
        }
        try await server.prepare("GetData close")
        let closed = try await deployment.relctl(read)
        #expect(closed.status == 0 && closed.standardOutput.contains("Sales"), "\(closed)")
        #expect(closed.standardError.contains("the kept tables are"), "\(closed)")
    }

    @Test("a server that sends a byte now and then is slow, not silent")
    func slow() async throws {
        let server = try await start()
        try await server.prepare("GetData slow 5")
        let start = ContinuousClock.now
        let read = try await deployment.relctl("table", "get", "sample", "Deps", "--format", "csv", "--timeout", "3s")
        #expect(read.status == 0 && read.standardOutput.split(whereSeparator: \.isNewline).count == 5, "\(read)")
        #expect(ContinuousClock.now - start > .seconds(3), "the reply is too short for this test")
    }
}
