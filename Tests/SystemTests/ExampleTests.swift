// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// The programs in docs/examples work unchanged. `AdapterTests` runs get_schema.py.
@Suite("The examples", .timeLimit(.minutes(2)))
struct ExampleTests {
    private static let directory = Sources.root + "/docs/examples"

    @Test(
        "shell, C and Swift list the same server, watch it, and report an error",
        .enabled(if: Requirement.allMet([.program("curl"), .program("cc")], for: "examples"), "curl and a C compiler")
    )
    func clients() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await deployment.success("add", "office", "10.0.0.1")
        let program = deployment.home.path(of: "call")
        try await Command(["cc", "-Wall", "-Werror", "-o", program, Self.directory + "/call.c"]).succeed()
        let shell = ["sh", Self.directory + "/servers.sh"]
        let swift = [Products.path(of: "example-servers")]
        let get = "org.relativityd.Registry.Get"

        for command in [
            shell + ["list"], shell + ["show", "office"], [program, "org.relativityd.Registry.List"], swift,
        ] {
            let output = try await run(command, deployment)
            #expect(output.status == 0 && output.standardOutput.contains(#""office""#), "\(command): \(output)")
        }
        for command in [shell + ["show", "no \"such\" one"], [program, get, #"{"endpoint": "none"}"#]] {
            let output = try await run(command, deployment)
            #expect(output.status != 0, "\(command)")
            #expect(
                output.standardOutput.contains("org.relativityd.Registry.EndpointNotFound"),
                "\(command): \(output)"
            )
            #expect(output.standardOutput.contains(#""endpoint":"#), "\(command): \(output)")
        }
        for command in [shell + ["watch"], swift + ["watch"]] {
            let child = try ChildProcess(command, environment: deployment.environment)
            let lines = child.outputLines(silence: .seconds(20))
            #expect(await Self.next(lines, containing: "office") != nil, "\(command)")
            child.signal(SIGTERM)
            _ = child.wait()
        }
        try await daemon.end()
        for (command, status) in [(shell + ["list"], 7), ([program, get], 2), (swift, 1)] {
            #expect(try await run(command, deployment).status == status, "\(command)")
        }
    }

    private static let goPackages = "/usr/share/gocode"

    @Test(
        "Go lists the servers, finds one, and reports an error",
        .enabled(
            if: Requirement.allMet([.program("go"), .program("\(goPackages)/src/github.com/varlink")], for: "Go"),
            "Go and its Varlink package"
        )
    )
    func goClient() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        try await deployment.success("add", "office", "10.0.0.1")
        let program = deployment.home.path(of: "servers")
        try await Command(
            ["go", "build", "-o", program, Self.directory + "/go/main.go"],
            environment: [
                "GO111MODULE": "off", "GOPATH": Self.goPackages, "GOCACHE": deployment.home.path(of: "go"),
            ]
        ).succeed()
        for command in [[program], [program, "office"]] {
            let output = try await run(command, deployment)
            #expect(output.standardOutput.contains(#""office" unknown http://10.0.0.1:7099/bin"#), "\(output)")
        }
        let refused = try await run([program, "none"], deployment)
        #expect(refused.status == 1)
        #expect(refused.standardError.hasPrefix("org.relativityd.Registry.EndpointNotFound: "), "\(refused)")
        #expect(refused.standardError.contains("no endpoint 'none'"), "\(refused)")
        try await daemon.end()
        #expect(try await run([program], deployment).status == 2)
    }

    @Test("a watch in Python continues across a restart of the daemon, without repeating a change")
    func watch() async throws {
        let deployment = Deployment()
        var daemon = try await deployment.startDaemon()
        let watch = try ChildProcess(
            ["/usr/bin/python3", Self.directory + "/watch.py"],
            environment: deployment.environment
        )
        let lines = watch.outputLines(silence: .seconds(20))
        try await deployment.success("add", "office", "10.0.0.1")
        #expect(await Self.next(lines, containing: "added")?.contains("'office'") == true)
        try await daemon.end()
        daemon = try await deployment.startDaemon()
        // After the restart the complete list is sent again. It has not changed, so the next line is a new change.
        try await deployment.success("add", "home", "10.0.0.2")
        #expect(await Self.next(lines)?.contains("'home'") == true)
        try await deployment.success("endpoint", "remove", "home", "--yes")
        #expect(await Self.next(lines, containing: "removed")?.contains("'home'") == true)
        watch.signal(SIGTERM)
        _ = watch.wait()
    }

    @Test("a watch in Python resumes after a lost connection, without missing or repeating a change")
    func resumedWatch() async throws {
        let deployment = Deployment()
        try await deployment.startDaemon()
        let door = deployment.home.path(of: "door")
        let relay = try Supervised(
            ["/usr/bin/python3", Sources.root + "/Tests/Tools/relay.py", door, deployment.socket],
            environment: deployment.environment,
            log: deployment.home.path(of: "relay.log")
        )
        try await eventually { relay.output == "open\n" }
        let watch = try ChildProcess(
            ["/usr/bin/python3", Self.directory + "/watch.py"],
            environment: deployment.environment.merging(["RELATIVITYD_SOCKET": door]) { $1 }
        )
        let lines = watch.outputLines(silence: .seconds(20))
        try await deployment.success("add", "office", "10.0.0.1")
        #expect(await Self.next(lines)?.contains("'office'") == true)

        relay.send("USR1")
        try await eventually { relay.output == "open\ncut\n" }
        try await deployment.success("add", "home", "10.0.0.2")
        try await deployment.success("endpoint", "remove", "office", "--yes")
        relay.send("USR2")
        for expected in ["resumed", "added .*'home'", "removed .*'office'"] {
            let line = try #require(await Self.next(lines))
            #expect(try Regex(expected).prefixMatch(in: line) != nil, "\(line)")
        }
        try await deployment.success("add", "garden", "10.0.0.3")
        #expect(await Self.next(lines)?.contains("'garden'") == true)
        watch.signal(SIGTERM)
        _ = watch.wait()
        try await relay.end()
    }

    private static func next(_ lines: AsyncStream<String>, containing text: String = "") async -> String? {
        for await line in lines where text.isEmpty || line.contains(text) { return line }
        return nil
    }

    private func run(_ command: [String], _ deployment: Deployment) async throws -> Command.Output {
        try await Command(command, environment: deployment.environment).run()
    }
}
