// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Programs with their own adapter", .timeLimit(.minutes(2)))
struct AdapterRunTests {
    private static let line = Duration.seconds(30)

    private static func firstLine(of process: ChildProcess) async throws -> String {
        for await line in process.outputLines(silence: Self.line) { return line }
        throw NotInTime(seconds: 30)
    }

    @Test("the exit status is that of the program, and its adapter ends with it")
    func exitStatus() async throws {
        let deployment = try await Deployment.withLogin()
        let run = ["adapter", "run", "--login", Deployment.login]
        let socket = try await deployment.relctl(run + ["--", "sh", "-c", "echo $RELATIVITYD_URL; exit 42"])
        #expect(socket.status == 42)
        #expect(socket.standardOutput.hasPrefix("http+unix://%2F") && socket.standardOutput.hasSuffix(".sock/bin\n"))
        let loopback = try await deployment.relctl(
            run + ["--loopback", "--", "sh", "-c", "echo $RELATIVITYD_URL; kill -9 $$"]
        )
        #expect(loopback.status == 128 + SIGKILL)
        #expect(loopback.standardOutput.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{40}\n/) != nil)
        try await eventually { try await deployment.json("adapter", "list") == [] }
        for (program, status) in [("/nowhere/at-all", 127), (deployment.home.path, 126)] {
            let failed = try await deployment.relctl(run + ["--", program])
            #expect(failed.status == status && failed.standardError.contains("cannot run '"), "\(failed)")
        }
        #expect(try await deployment.relctl(["adapter", "run", "--login", "nobody", "--", "true"]).status == 11)
        #expect(try await deployment.relctl(run).status == 64)
    }

    @Test("the only login needs no name, and a shell can use the variables of an adapter")
    func environment() async throws {
        let deployment = try await Deployment.withLogin()
        let names = ["URL", "ADAPTER_SOCKET", "DOMAIN", "SCHEMA", "DATA_SERVICE", "LOGIN_SERVICE"]
        let script = "test -S $RELATIVITYD_ADAPTER_SOCKET && env | grep ^RELATIVITYD_ | sort"
        for server in [[], ["sample"]] {
            let run = try await deployment.relctl(["adapter", "run"] + server + ["--", "sh", "-c", script])
            #expect(run.status == 0, "\(run)")
            #expect(run.standardError.contains("'\(Deployment.login)', the only one") == server.isEmpty)
            for name in names { #expect(run.standardOutput.contains("RELATIVITYD_\(name)="), "\(run)") }
            #expect(run.standardOutput.contains("RELATIVITYD_DOMAIN=DASamples\n"))

            let lines = try await deployment.relctl(["adapter", "env", "--quiet"] + server)
            #expect(lines.status == 0 && lines.standardError.isEmpty, "\(lines)")
            let shell = try await Command(["sh", "-c", lines.standardOutput + script]).run()
            #expect(shell.status == 0, "\(shell)")
            for name in names { #expect(shell.standardOutput.contains("RELATIVITYD_\(name)="), "\(shell)") }
        }
        let loopback = try await deployment.relctl("adapter", "env", "--loopback")
        #expect(loopback.standardOutput.contains("export RELATIVITYD_ADAPTER_SOCKET=''\n"), "\(loopback)")
    }

    @Test("the end of the program is detected also if relctl inherits an ignored SIGCHLD")
    func ignoredEnds() async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        let relctl = Products.path(of: "relctl")
        let run = Command(
            ["sh", "-c", "trap '' CHLD; exec \"$@\"", "sh", relctl, "adapter", "run", "--login", Deployment.login]
                // A shell cannot reset a signal that was ignored when it started, so the trap works only if it was not
                // ignored.
                + ["--", "sh", "-c", "trap 'echo told' CHLD; sleep 0.01 & wait; exit 42"],
            environment: deployment.environment
        )
        let output = try await run.run()
        #expect(output.status == 42 && output.standardOutput == "told\n", "\(output)")
    }

    @Test("signals reach the program, and its adapter ends also if relctl is killed")
    func signals() async throws {
        let deployment = try await Deployment.withLogin()
        let script = "trap 'exit 7' TERM; echo $$; while :; do sleep 0.05; done"
        let first = try deployment.background(
            ["adapter", "run", "--login", Deployment.login, "--own-session", "--", "sh", "-c", script]
        )
        _ = try await Self.firstLine(of: first)
        #expect(try await deployment.json("adapter", "list").arrayValue?.count == 1)
        first.signal(SIGTERM)
        #expect(first.wait() == 7)

        let second = try deployment.background("adapter", "run", "--login", Deployment.login, "--", "sh", "-c", script)
        let pid = try #require(Int32(try await Self.firstLine(of: second)))
        second.signal(SIGKILL)
        _ = second.wait()
        try await eventually { try await deployment.json("adapter", "list") == [] }
        kill(pid, SIGTERM)
    }

    @Test("a configured adapter keeps its port and path across a restart, and an invalid one is named in status")
    func configured() async throws {
        let deployment = Deployment()
        var started = try await deployment.startWithLogin()
        try await started.daemon.end()
        let port = try LoopbackPort.free(1)[0]
        let text = """
            [probe]
            mode = "off"
            [[adapter]]
            name = "office"
            login = "\(Deployment.login)"
            port = \(port)
            [[adapter]]
            name = "broken"
            login = "x"
            """
        deployment.home.write(Array(text.utf8), to: "config/relativityd/relativityd.toml")
        var urls: [String] = []
        for _ in 0..<2 {
            started.daemon = try await deployment.startDaemon()
            let listed = try #require(try await deployment.json("adapter", "list").arrayValue)
            let adapter = try #require(listed.first?.objectValue)
            #expect(listed.count == 1)
            #expect(try adapter.string("id") == "office" && adapter.bool("configured"))
            urls.append(try adapter.string("url"))
            let status = try await deployment.success("status")
            #expect(status.contains("relativityd.toml: line "), "\(status)")
            try await started.daemon.end()
        }
        #expect(urls[0].hasPrefix("http://127.0.0.1:\(port)/") && urls[0] == urls[1])
    }
}
