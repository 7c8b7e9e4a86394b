// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Without a daemon that responds", .timeLimit(.minutes(1)))
struct NoDaemonTests {
    @Test("without a daemon every verb reports that, and how to start it")
    func noDaemon() async throws {
        let deployment = Deployment()
        deployment.home.write([0], to: "file")
        try await VerbUse.each(atOnce: 4) { use in
            let output = try await run(use, deployment)
            #expect(output.status == 69, "\(use.verb): \(output)")
            // Of relctl it is known.
            #expect(output.standardOutput.isEmpty == (use.verb != "version"), "\(use.verb): \(output)")
            let lines = output.standardError.split(separator: "\n")
            #expect(lines.first?.contains(deployment.socket) == true, "\(use.verb): \(output)")
            #expect(lines.dropFirst() == ["relctl: hint: relativityd &"], "\(use.verb): \(output)")
        }
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
        let start = ContinuousClock.now
        let output = try await run(use, deployment)
        #expect(output.status == 75, "\(use.verb): \(output)")
        return ContinuousClock.now - start > .seconds(4)
    }

    private func run(_ use: VerbUse, _ deployment: Deployment) async throws -> Command.Output {
        let paths = ["<file>": "file", "<new>": use.verb, "<directory>": ""].mapValues { deployment.home.path(of: $0) }
        return try await deployment.relctl(use.words.map { paths[$0] ?? $0 }, input: use.input)
    }
}
