// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension ScriptedDay {
    /// Changes of logins and pins, and their lines in the audit log. The vault is locked before and unlocked after.
    static var editingSteps: [Step] {
        [
            Step(name: "a login edited and renamed") { day in
                try await day.unlock()
                let edited = day.editedPassword.text + "\n"
                try await day.relctl("login", "edit", login, "--password-stdin", "--json", input: edited)
                try await day.relctl("login", "rename", login, "another name")
                try await day.relctl("login", "test", "another name", "--json")
                try await day.relctl("login", "rename", "another name", login)
                try await day.relctl("login", "edit", login, "--domain", "DASamples", "--json")
            },
            Step(name: "a server with another key") { day in
                var front = try await TLSFront(day.deployment, backend: day.recordedPort)
                try await day.relctl("add", "office", "https://127.0.0.1:\(front.port)/bin")
                let old = try await day.deployment.fingerprint(of: "office")
                try await day.relctl("endpoint", "pin", "office", "--pin", old, "--json")
                try await day.addLogin("simple", day.password, to: "office")
                try await front.program.end()
                front = try await TLSFront(day.deployment, backend: day.recordedPort, port: front.port)
                let (name, new) = ("simple@office", try await day.deployment.fingerprint(of: "office"))
                try await day.relctl("login", "test", name, "--json", status: 5)
                try await day.relctl("endpoint", "repin", "office", "--pin", new, "--json")
                try await day.relctl("login", "test", name, "--json")
                try await day.relctl("endpoint", "forget", "office", "--logins", "--yes", "--json")
                try await front.program.end()
            },
            Step(name: "the audit log") { day in
                try await day.relctl("audit", "--json")
                try await day.relctl("audit", "list", "--count", "1000")
                try await day.relctl("audit", "verify", "--json")
            },
        ]
    }
}
