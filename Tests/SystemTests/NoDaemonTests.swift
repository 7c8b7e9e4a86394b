// SPDX-License-Identifier: Apache-2.0

import Glibc
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

    @Test("a socket whose connections are closed before a reply counts as no daemon, and doctor names the invalid line")
    func closing() async throws {
        let deployment = Deployment()
        mkdir(deployment.home.path(of: "run/relativityd"), 0o700)
        let file = "config/relativityd/relativityd.toml"
        deployment.home.write(Array("[vault]\nidle_lock = \"a\"\n".utf8), to: file)
        let script = """
            import socket, sys
            server = socket.socket(socket.AF_UNIX)
            server.bind(sys.argv[1])
            server.listen()
            print("listening", flush=True)
            while True: server.accept()[0].close()
            """
        let closing = try ChildProcess(["python3", "-c", script, deployment.socket])
        var lines = closing.outputLines(silence: .seconds(20)).makeAsyncIterator()
        try #require(await lines.next() == "listening")
        for words in [["status"], ["list"], ["vault", "lock"]] {
            let refused = try await deployment.relctl(words)
            #expect(refused.status == 69 && refused.standardError.hasSuffix("hint: relctl doctor\n"), "\(refused)")
        }
        let diagnosis = try await deployment.relctl("doctor")
        #expect(diagnosis.standardOutput.contains("its configuration is not valid"), "\(diagnosis)")
        #expect(diagnosis.standardOutput.contains("relativityd.toml:2"), "\(diagnosis)")
        closing.signal(SIGTERM)
        _ = closing.wait()
    }

    @Test("the daemon and relctl refuse a relative RELATIVITYD_HOME")
    func relativeHome() async throws {
        let environment = Deployment().environment.merging(["RELATIVITYD_HOME": "relative"]) { $1 }
        for (words, status) in [
            (["relctl", "status"], Int32(64)), (["relctl", "login", "list"], 64), (["relativityd"], 78),
            (["relativityd", "--check"], 78),
        ] {
            let arguments = [Products.path(of: words[0])] + words.dropFirst()
            let refused = try await Command(arguments, environment: environment).run()
            #expect(refused.status == status && refused.standardError.contains("RELATIVITYD_HOME is not"), "\(refused)")
        }
    }

    private func run(_ use: VerbUse, _ deployment: Deployment) async throws -> Command.Output {
        let paths = ["<file>": "file", "<new>": use.verb, "<directory>": ""].mapValues { deployment.home.path(of: $0) }
        return try await deployment.relctl(use.words.map { paths[$0] ?? $0 }, input: use.input)
    }
}
