// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Two daemons in one home, and a limit of file size", .timeLimit(.minutes(2)))
struct SharedHomeTests {
    private func names(_ deployment: Deployment) async throws -> Set<String> {
        let document = try await deployment.json("login", "list")
        return Set(try #require(document.arrayValue).map { try #require($0.objectValue).string("name") })
    }

    @Test("a second daemon in the same home exits and names the first, and starts after the first was killed")
    func twoDaemons() async throws {
        let first = Deployment()
        let second = Deployment()
        let (daemon, _, _) = try await first.startWithLogin()
        let pid = try #require(try await first.json("status").objectValue).integer("pid")
        for (variable, directory) in [("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state")] {
            let shared = first.home.path(of: directory)
            let refused = try await second.runDaemon(environment: [variable: shared])
            let text = refused.standardError
            #expect(refused.status == 75, "\(refused)")
            #expect(text.contains("another relativityd, process \(pid) on ") && text.contains("\(shared)/relativityd"))
            #expect(text.contains("end it first, or give this one an XDG_DATA_HOME"))
        }
        let sameSocket = try await first.runDaemon()
        #expect(
            sameSocket.status == 75
                && sameSocket.standardError.contains("another relativityd, process \(pid) on ")
                && sameSocket.standardError.contains(", serves "),
            "\(sameSocket)"
        )
        #expect(try await first.runDaemon(options: ["--check"]).status == 0)
        #expect(try await names(first) == [Deployment.login])

        daemon.send("KILL")
        #expect(try await daemon.end() == 128 + SIGKILL)
        let inherited = ["XDG_DATA_HOME": first.home.path(of: "data")]
        try await second.startDaemon(environment: inherited)
        try await second.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        #expect(try await names(second) == [Deployment.login])
    }

    @Test("one directory for data and state is not a second daemon")
    func oneDirectory() async throws {
        let deployment = Deployment()
        let data = deployment.home.path(of: "data")
        let daemon = try await deployment.startDaemon(environment: ["XDG_STATE_HOME": data])
        #expect(try await deployment.runDaemon(environment: ["XDG_STATE_HOME": data]).status == 75)
        #expect(try await daemon.end() == 0)
    }

    @Test(
        "a limit of file size makes saves fail, and the daemon continues",
        .enabled(if: Requirement.allMet([.program("prlimit")]))
    )
    func fileSizeLimit() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon(wrapper: ["prlimit", "--fsize=8192:8192"])
        let server = try await deployment.startServer()
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        let before = TextFile.bytes(of: deployment.vaultFile)
        let long = String(repeating: "x", count: 4_000)
        let large = try await deployment.addLogin(options: ["--name", long])
        #expect(large.status != 0 && large.standardError.contains("File too large"), "\(large)")
        #expect(TextFile.bytes(of: deployment.vaultFile) == before)
        #expect(try await deployment.addLogin(options: ["--name", "small"]).status == 0)
        #expect(try await names(deployment) == ["small"])
        #expect(try await daemon.end() == 0)
    }
}
