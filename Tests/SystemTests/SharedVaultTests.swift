// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

@Suite("Two daemons on one vault, and a daemon whose files may not grow", .timeLimit(.minutes(2)))
struct SharedVaultTests {
    private static let loginsEach = 6

    private func names(_ deployment: Deployment) async throws -> Set<String> {
        let document = try await deployment.json("login", "list")
        return Set(try #require(document.arrayValue).map { try #require($0.objectValue).string("name") })
    }

    @Test("daemons that share a data directory lose no login, and each shows those of the other")
    func twoDaemons() async throws {
        let first = Deployment()
        let second = Deployment(dataHome: first.home.path(of: "data"))
        let (firstDaemon, server, _) = try await first.startWithLogin()
        let secondDaemon = try await second.startDaemon()
        try await second.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        #expect(try await names(second) == [Deployment.login])

        try await withThrowingTaskGroup(of: Void.self) { group in
            for (name, deployment) in [("first", first), ("second", second)] {
                group.addTask {
                    for index in 0..<Self.loginsEach {
                        let added = try await deployment.addLogin(options: ["--name", "\(name) \(index)"])
                        #expect(added.status == 0, "\(added)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let expected = (0..<Self.loginsEach).flatMap { ["first \($0)", "second \($0)"] } + [Deployment.login]
        #expect(try await names(first) == Set(expected))
        #expect(try await names(second) == Set(expected))

        try await second.success("login", "remove", "first 0")
        #expect(try await first.relctl("login", "remove", "first 0").status == 11)
        #expect(try await names(first).count == expected.count - 1)
        try await firstDaemon.end()
        try await secondDaemon.end()
        try await server.end()
    }

    @Test(
        "a limit of file size makes saves fail, and the daemon goes on",
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
        try await server.program.end()
    }
}
