// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

extension ScriptedDay {
    static let login = "simple@sample"

    /// The steps in order. A new verb that handles a secret needs its own step.
    static var steps: [Step] { firstSteps + slotSteps + editingSteps + lastSteps }

    private static var firstSteps: [Step] {
        [
            Step(name: "vault init") { day in
                try await day.relctl("vault", "init", "--passphrase-stdin", "--json", input: day.passphrase.text + "\n")
            },
            Step(name: "a login that the server takes") { day in
                try await day.addLogin("simple", day.password)
                try await day.relctl("login", "test", login, "--json")
            },
            Step(name: "a login that the server refuses") { day in
                try await day.addLogin("nobody", day.refusedPassword, status: 13)
                try await day.addLogin("nobody", day.refusedPassword, "--no-test")
                try await day.relctl("adapter", "open", "sample", "--login", "nobody@sample", status: 13)
                try await day.relctl("login", "test", "nobody@sample", "--json", status: 13)
            },
            Step(name: "calls through an adapter") { day in
                let (holder, adapter) = try await day.hold(
                    "adapter",
                    "open",
                    "sample",
                    "--login",
                    login,
                    "--hold",
                    "--json"
                )
                for service in ["DataService", "NoSuchService"] {
                    let call = AdapterCall(service: service, method: "GetSchema", strings: [""])
                    day.keep(try await call.post(to: try adapter.string("socketPath")).raw)
                }
                try await day.relctl("adapter", "list", "--json")
                holder.signal(SIGTERM)
                _ = holder.wait()
            },
            Step(name: "a login under way") { day in
                let sent = TextFile.bytes(of: day.wire).count
                day.server?.program.send("STOP")
                let test = try day.begin("login", "test", login)
                // After the request the password is on its way.
                try await eventually { TextFile.bytes(of: day.wire).count > sent }
                day.memoryHitsInUse = try await day.memory().hits
                day.server?.program.send("CONT")
                #expect(test.wait() == 0)
            },
            Step(name: "every list and status") { day in
                try await day.relctl("list", "--json")
                try await day.relctl("show", "sample", "--json")
                try await day.relctl("login", "list", "--json")
                try await day.relctl("vault", "status", "--json")
                try await day.relctl("status", "--json")
            },
            Step(name: "lock") { day in
                try await day.relctl("vault", "lock", "--json")
                try await day.searchMemory("after the lock")
            },
            Step(name: "a wrong passphrase") { day in
                let wrong = day.wrongPassphrase.text + "\n"
                try await day.relctl("vault", "unlock", "--passphrase-stdin", input: wrong, status: 7)
                try await day.relctl("vault", "unlock", "--passphrase-stdin", "--json", input: wrong, status: 7)
                try await day.searchMemory("after a wrong passphrase")
            },
        ]
    }

    private static var lastSteps: [Step] {
        [
            Step(name: "the right one, a call, and another lock") { day in
                try await day.unlock()
                let (holder, _) = try await day.hold("adapter", "open", "sample", "--login", login, "--hold", "--json")
                try await day.relctl("vault", "lock")
                _ = holder.wait()
                try await day.searchMemory("after the second lock")
            },
            Step(name: "the login removed") { day in
                try await day.unlock()
                try await day.relctl("login", "remove", "nobody@sample")
            },
            Step(name: "a crash, and the next start") { day in
                let first = try await day.daemonPid()
                try await day.crash("SEGV")
                try await day.startDaemon()
                #expect(try await day.daemonPid() != first)
                try await day.relctl("vault", "status")
                try await day.unlock()
                try await day.crash("ABRT")
                try await day.startDaemon()
            },
        ]
    }

    /// - Parameter signal: the name of kill(1).
    private func crash(_ signal: String) async throws {
        daemon?.send(signal)
        try await eventually { try await self.deployment.relctl("version").status != 0 }
    }

    func unlock() async throws {
        try await relctl("vault", "unlock", "--passphrase-stdin", "--json", input: passphrase.text + "\n")
    }

    func addLogin(
        _ user: String,
        _ password: Canary,
        _ options: String...,
        to endpoint: String = "sample",
        status: Int32 = 0
    ) async throws {
        let output = try await deployment.addLogin(
            to: endpoint,
            user: user,
            password: password.text,
            options: options + ["--json"],
            environment: environment
        )
        keep(Array((output.standardOutput + output.standardError).utf8))
        #expect(output.status == status, "\(user): \(output)")
    }

    private func memory() async throws -> SecretSearch.Outcome {
        try await SecretSearch(canaries: secrets).run(in: ["pid:\(try await daemonPid())"])
    }

    /// Searches all memory of the daemon, in which no secret of the day may be left.
    func searchMemory(_ moment: String) async throws {
        let outcome = try await memory()
        memoryHits += outcome.hits.map { "\(moment): \($0)" }
        searchedMemory.places += outcome.places
        searchedMemory.bytes += outcome.searchedBytes
    }
}
