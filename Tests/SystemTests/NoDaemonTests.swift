// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Without a daemon that responds", .timeLimit(.minutes(1)))
struct NoDaemonTests {
    private static let verbs = [
        ["list"], ["list", "--json"], ["show", "x"], ["watch"], ["add", "x", "127.0.0.1"], ["endpoint", "remove", "x"],
        ["endpoint", "set", "x", "--path", "/bin"], ["vault", "init", "--passphrase-stdin"],
        ["vault", "unlock", "--passphrase-stdin"], ["vault", "lock"], ["vault", "status"],
        ["login", "add", "x", "--user", "u", "--password-stdin"], ["login", "list"], ["login", "test", "x"],
        ["login", "remove", "x"], ["adapter", "open", "x"], ["adapter", "open", "x", "--hold"], ["adapter", "list"],
        ["adapter", "close", "x"], ["status"],
    ]

    @Test("without a daemon every verb reports that, and how to start it", arguments: verbs)
    func noDaemon(verb: [String]) async throws {
        let deployment = Deployment()
        let output = try await run(verb, deployment)
        #expect(output.status == 69, "\(output)")
        #expect(output.standardOutput.isEmpty)
        let lines = output.standardError.split(separator: "\n")
        #expect(lines.first?.contains(deployment.socket) == true, "\(output)")
        #expect(lines.dropFirst() == ["relctl: hint: relativityd &"], "\(output)")
    }

    @Test("a daemon that hangs causes a timeout after two seconds, for any verb")
    func hungDaemon() async throws {
        let deployment = Deployment()
        deployment.home.write([0], to: "file")
        let daemon = try await deployment.startDaemon()
        daemon.send("STOP")
        try await eventually { try await deployment.relctl("status").status == 75 }
        try await VerbUse.each(atOnce: 24) { use in
            // On a busy machine one of so many simultaneous runs may have been delayed.
            if try await isLate(use, deployment) { #expect(try await !isLate(use, deployment), "\(use.verb)") }
        }
        #expect(try await daemon.end() == 0)
    }

    /// Whether it took so much longer than two seconds that it must have waited twice.
    private func isLate(_ use: VerbUse, _ deployment: Deployment) async throws -> Bool {
        let paths = ["<file>": "file", "<new>": use.verb, "<directory>": ""].mapValues { deployment.home.path(of: $0) }
        let start = ContinuousClock.now
        let output = try await run(use.words.map { paths[$0] ?? $0 }, deployment, input: use.input)
        #expect(output.status == 75, "\(use.verb): \(output)")
        return ContinuousClock.now - start > .seconds(4)
    }

    private func run(
        _ verb: [String],
        _ deployment: Deployment,
        input: String = "x\n"
    ) async throws -> Command.Output {
        try await Command([Products.path(of: "relctl")] + verb, environment: deployment.environment).run(input: input)
    }
}
