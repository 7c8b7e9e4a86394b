// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@Suite("Scripts of relctl", .timeLimit(.minutes(5)))
struct ScriptTests {
    private static let directory = Sources.root + "/Tests/Scripts"
    private static let names = [
        "servers", "endpoints", "vault", "copies", "logins", "adapters", "daemon", "wire", "nodaemon",
    ]
    /// Scripts with a daemon, a server and a login of their own, on loopback.
    private static let ofData = ["tables", "edits", "briefcases"]

    /// Verbs without a script, with the reason.
    private static let without = ["top": "is a program for a terminal, and tested on one"]

    private static func script(_ name: String) throws -> Script {
        try Script(name: name, TextFile.text(of: "\(directory)/\(name).txt"))
    }

    @Test("each verb occurs in at least one")
    func complete() async throws {
        let commands = try (Self.names + Self.ofData).flatMap { try Self.script($0).steps.map(\.command) }
        #expect(commands.count > 60)
        func isRun(_ verb: String) -> Bool { commands.contains { "\($0) ".contains("relctl \(verb) ") } }
        for verb in try await VerbTree.leaves() where Self.without[verb] == nil {
            // A short form and its long one are the same verb.
            let last = verb.split(separator: " ").last.map(String.init) ?? ""
            let short = VerbUse.longForm(of: last) == verb ? last : verb
            #expect(isRun(verb) || isRun(short) || VerbUse.longForm(of: verb).map(isRun) == true, "\(verb)")
        }
    }

    @Test("output and exit status of verbs for data are as written", arguments: ofData)
    func data(_ name: String) async throws {
        let deployment = Deployment()
        try await deployment.startWithLogin()
        try await Self.run(Self.script(name), in: deployment)
    }

    /// Each script has its own daemon on host 1 of a LAN. A server announces itself as `sample` on host 2.
    @Test(
        "output and exit status are as written",
        .enabled(if: Requirement.allMet([.root, .avahi]), "needs root and avahi-daemon")
    )
    func run() async throws {
        try await LAN.with(.hosts(2)) { lan in
            let first = Deployment(on: lan)
            try await first.startServer(["--lan", "--name", "sample"], port: 7_099)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, name) in Self.names.enumerated() {
                    if index >= 3 { try await group.next() }
                    group.addTask {
                        let deployment = Deployment(on: lan)
                        if name != "nodaemon" { try await deployment.startDaemon() }
                        try await Self.run(Self.script(name), in: deployment)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func run(_ script: Script, in deployment: Deployment) async throws {
        mkdir(deployment.home.path(of: "work"), 0o700)
        symlink(Products.path(of: "relctl"), deployment.home.path(of: "work/relctl"))
        for step in script.steps {
            let shell = "cd \"$HOME/work\"; PATH=\"$PWD:$PATH\"; exec 2>&1; \(step.command)"
            let output = try await Command(["bash", "-c", shell], environment: deployment.environment).run()
            let lines = output.standardOutput.split(separator: "\n").map(String.init)
            let isRight = try output.status == step.status && Script.matches(lines[...], step.expected[...])
            #expect(isRight, "\(script.name): $ \(step.command)\n\(output.standardOutput)[exit \(output.status)]")
        }
    }
}
