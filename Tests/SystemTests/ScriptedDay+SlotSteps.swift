// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

extension ScriptedDay {
    /// Changes of the key slots. The vault is locked before.
    static var slotSteps: [Step] {
        [
            Step(name: "a second passphrase and a recovery code") { day in
                try await day.unlock()
                let second = day.secondPassphrase.text + "\n"
                try await day.slot("add", "--provider", "passphrase", "--stdin", "--label", "second", input: second)
                try await day.slot("add", "--provider", "recovery-code", "--recovery-code-file", day.codeFile)
                let code = TextFile.text(of: day.codeFile).split(separator: "\n")
                day.recoveryCode = Canary("recovery-code", bytes: Array(try #require(code.first).utf8))
                try await day.slot("rewrap", "second", "--stdin", input: second)
                try await day.slot("rewrap", "second", "--stdin", input: day.wrongPassphrase.text + "\n", status: 7)
                try await day.slot("label", "second", "2nd")
                try await day.slot("remove", "2nd")
                try await day.slot("list")
                try await day.searchMemoryOnceLocked("after slots came and went")
            },
            Step(name: "the recovery code, right and mistyped") { day in
                let code = try #require(day.recoveryCode).text
                let unlock = ["vault", "unlock", "--recovery-code", "--stdin", "--json"]
                try await day.run("relctl", unlock, input: code + "\n")
                try await day.run("relctl", unlock, input: code.dropLast() + "\n", status: 64)
                try await day.searchMemoryOnceLocked("after the recovery code")
            },
            Step(name: "another passphrase and another data key") { day in
                try await day.unlock()
                let (old, new) = (day.passphrase.text, day.newPassphrase.text)
                let change = ["vault", "change-passphrase", "--stdin", "--json"]
                try await day.run("relctl", change, input: "\(day.wrongPassphrase.text)\n\(new)\n", status: 7)
                try await day.run("relctl", change, input: "\(old)\n\(new)\n")
                day.passphrase = day.newPassphrase
                let code = try #require(day.recoveryCode).text
                let rotate = ["vault", "rotate-key", "--stdin", "--json"]
                try await day.run("relctl", rotate, input: "\(old)\n\(code)\n", status: 7)
                try await day.run("relctl", rotate, input: "\(new)\n\(code)\n")
                try await day.searchMemoryOnceLocked("after the rotation")
            },
            Step(name: "copies of the vault: backup, restore, export, import") { day in
                try await day.unlock()
                let home = day.deployment.home
                try await day.relctl("vault", "backup", "--to", home.path, "--json")
                let copies = home.names(in: ".").filter { $0.hasPrefix("vault-") && $0.hasSuffix(".rcv") }
                let copy = home.path(of: try #require(copies.first))
                let export = home.path(of: "export.rcv")
                let second = day.secondPassphrase.text + "\n"
                try await day.relctl("vault", "export", "--out", export, "--stdin", "--json", input: second)
                let take = ["vault", "import", export, "--stdin", "--json", "--yes"]
                try await day.run("relctl", take, input: day.wrongPassphrase.text + "\n", status: 7)
                try await day.run("relctl", take, input: second)
                let back = ["vault", "restore", copy, "--replace", "--recovery-code", "--stdin", "--json"]
                try await day.run("relctl", back, input: try #require(day.recoveryCode).text + "\n")
                try await day.searchMemoryOnceLocked("after copies came and went")
            },
            Step(name: "a look into the vault without the daemon") { day in
                let verify = ["--verify-vault", day.deployment.vaultFile]
                try await day.run("relativityd", verify + ["--json"], input: day.passphrase.text + "\n")
                try await day.run("relativityd", verify, input: day.wrongPassphrase.text + "\n", status: 7)
                let code = try #require(day.recoveryCode).text
                try await day.run("relativityd", verify + ["--provider", "recovery-code"], input: code + "\n")
            },
        ]
    }

    private func slot(_ arguments: String..., input: String = "", status: Int32 = 0) async throws {
        try await run("relctl", ["vault", "slot"] + arguments + ["--json"], input: input, status: status)
    }

    private func searchMemoryOnceLocked(_ moment: String) async throws {
        try await relctl("vault", "lock")
        try await searchMemory(moment)
    }
}
