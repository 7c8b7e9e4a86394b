// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("The audit log on the command line", .timeLimit(.minutes(3)))
struct AuditTests {
    private func events(_ deployment: Deployment) async throws -> [String] {
        let lines = try #require(try await deployment.json("audit", "--count", "1000").arrayValue)
        return try lines.map { try #require($0.objectValue).string("event") }
    }

    private func logFile(_ deployment: Deployment) -> String {
        deployment.home.path(of: "state/relativityd/audit.jsonl")
    }

    @Test("actions on a vault, a login and an adapter are recorded with the caller, and a script may verify them")
    func aDay() async throws {
        let deployment = try await Deployment.withLogin()
        let (holder, _) = try await deployment.holdAdapter("sample")
        holder.signal(15)
        _ = holder.wait()
        try await eventually { try await events(deployment).contains("adapter.ended") }
        #expect(
            try await deployment.addLogin(user: "simple", password: "wrong", options: ["--name", "other"]).status == 13
        )
        try await deployment.success("login", "test", Deployment.login)
        try await deployment.success("login", "remove", Deployment.login)
        try await deployment.success("vault", "lock")
        #expect(try await deployment.relctl("audit", "verify").status == 3)
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")

        let told = try await events(deployment)
        for event in [
            "daemon.started", "log.bound", "vault.made", "password.used", "login.added", "adapter.opened",
            "adapter.ended", "login.tested", "login.removed", "vault.locked", "vault.unlocked",
        ] {
            #expect(told.contains(event), "\(event)")
        }
        let lines = try #require(try await deployment.json("audit").arrayValue).compactMap(\.objectValue)
        let added = try #require(lines.first { $0["event"] == "login.added" })
        #expect(try added.integer("pid") > 1 && added.bool("keyed"))
        #expect(added["strength"] == "loopback" && added["tier"] == nil)
        #expect(lines.contains { $0["event"] == "password.used" && $0["result"] == "refused" })
        let report = try #require(try await deployment.json("audit", "verify").objectValue)
        #expect(report["fault"] == nil && report["unproved"] == 0 && report["lost"] == 0)
        #expect(try await deployment.success("audit", "verify").contains(" intact\n"))
        #expect(try await deployment.success("audit", "-n", "1").split(separator: "\n").count == 2)
        #expect(try await deployment.success("audit", "--since", "2999-01-01").isEmpty)
        #expect(try await deployment.relctl("audit", "--since", "yesterday").status == 64)

        let text = TextFile.text(of: logFile(deployment))
        for secret in [Deployment.passphrase, "\"simple\"", "DASamples", Deployment.login] {
            #expect(!text.contains(secret), "\(secret)")
        }
        var facts = stat()
        #expect(stat(logFile(deployment), &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test("for a line changed or cut off without a daemon, verify exits with 8 and names its position")
    func tampered() async throws {
        let deployment = Deployment()
        let first = try await deployment.startWithLogin()
        try await first.daemon.end()
        let whole = TextFile.bytes(of: logFile(deployment))
        let lines = whole.split(separator: 10).map(Array.init)
        let added = try #require(lines.firstIndex { String(decoding: $0, as: UTF8.self).contains("login.added") })

        var changed = lines
        changed[added].replace("login.added".utf8, with: "login.edits".utf8)
        let cases: [([[UInt8]], String)] = [
            (changed, "audit.jsonl line \(added + 1): the line was changed"),
            (Array(lines[..<added]), "line \(added + 2): "),
        ]
        for (kept, problem) in cases {
            deployment.home.write(kept.flatMap { $0 + [10] }, to: "state/relativityd/audit.jsonl")
            let daemon = try await deployment.startDaemon()
            try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
            let verified = try await deployment.relctl("audit", "verify")
            #expect(verified.status == 8, "\(verified)")
            #expect(verified.standardError.contains(problem), "\(verified)")
            try await daemon.end()
        }
    }

    @Test("after a kill at any moment the next daemon continues the log")
    func killed() async throws {
        let deployment = Deployment()
        var started = try await deployment.startWithLogin().daemon
        for round in 0..<4 {
            let runs = try (0..<3).map { _ in
                try deployment.background("login", "edit", Deployment.login, "--domain", "DASamples", "--no-test")
            }
            try await eventually { try await events(deployment).contains("login.edited") }
            usleep(UInt32(round) * 3_000)
            started.send("KILL")
            for run in runs { _ = run.wait() }
            try await started.end()
            started = try await deployment.startDaemon()
            try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
            let verified = try await deployment.relctl("audit", "verify", "--json")
            #expect(verified.status == 0, "\(verified)")
        }
    }

    @Test("without space for a line a login is not changed, and status reports missing events")
    func noRoom() async throws {
        let deployment = Deployment()
        let started = try await deployment.startWithLogin()
        try await started.daemon.end()
        let limited = try Supervised(
            [
                "/bin/sh", "-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\"", Products.path(of: "relativityd"),
            ],
            environment: deployment.environment,
            log: deployment.daemonLog
        )
        try await eventually { try await deployment.relctl("version").status == 0 }
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        var refused: Command.Output?
        for _ in 0..<60 where refused == nil {
            let edited = try await deployment.relctl(
                ["login", "edit", Deployment.login, "--domain", "Other", "--no-test"]
            )
            if edited.status != 0 { refused = edited }
        }
        let refusal = try #require(refused)
        #expect(refusal.status == 1 && refusal.standardError.contains("audit log cannot be written"), "\(refusal)")
        #expect(try await deployment.success("status").contains("missing from the audit log"))
        #expect(try await deployment.success("login", "list").contains("simple"))
        try await limited.end()

        try await deployment.startDaemon()
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        #expect(try await deployment.relctl("audit", "verify").status == 0)
    }
}
