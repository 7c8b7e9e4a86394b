// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct VaultBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the vault's file into a directory.",
        discussion: """
            The copy is decrypted once to prove that it is whole. It opens with what opens the vault: a passphrase or \
            recovery code on any machine, a key that is kept outside on this one. 'relctl vault restore' puts it back.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "The directory for vault-GENERATION-HASH.rcv.", completion: .directory)
    var to: String

    func validate() throws {
        guard !to.isEmpty else { throw ValidationError("--to names no directory") }
    }

    func run() throws {
        let reply = try DaemonClient().call(CredentialsAPI.BackupCall(), within: .seconds(30))
        let file = try SealedFile(reply)
        let path = "\(to)/vault-\(file.generation)-\(file.sha256.prefix(8)).rcv"
        // If nothing has changed since the last backup, the same file already exists.
        if try !file.isAt(path) { try file.write(to: path) }
        file.tell(at: path, output)
    }
}

struct VaultRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of the vault, and unlock it.",
        discussion: """
            Makes the entries of its servers again, where this machine does not know them. An older state of the vault \
            that is here may only be read until 'relctl vault accept'.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: CopyKeyOptions
    @Argument(help: "The file that 'relctl vault backup' made.", completion: .file())
    var file: String
    @Flag(help: "Replace the vault that is here, which stays beside it as vault.rcv.prev.")
    var replace = false

    func run() throws {
        let vault = try VaultCommand.status(try output.client())
        guard vault.state == .absent || replace else {
            throw Failure(
                .failed,
                "there is a vault at '\(Printable(vault.path))' already: --replace puts the backup in its place",
                hint: "relctl vault import \(file)"
            )
        }
        try SealedFile.withPieces(of: file) { pieces in
            let reply = try output.client().call(
                CredentialsAPI.RestoreCall(provider: key.kind.rawValue, replace: replace),
                secrets: try key.read(),
                pieces: pieces
            )
            try VaultCommand.tellUnlocked(reply.vault, note: reply.note, output)
        }
    }
}

struct VaultExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the logins into a vault of their own, for another machine.",
        discussion: "The new file opens with its own passphrase and nothing else. 'relctl vault import' takes it in."
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "The file to make; there must be none yet.", completion: .file())
    var out: String
    @Flag(help: "Read the new file's passphrase as one line of standard input.")
    var stdin = false

    func run() throws {
        try VaultCommand.requireUnlocked()
        try SealedFile.checkFree(out)
        let passphrase = try SecretInput().read(
            "passphrase of the new file",
            fromStandardInput: stdin,
            isNew: true,
            maximumBytes: SecretLineReader.maximumPassphraseBytes,
            option: "--stdin"
        )
        let reply = try output.client().call(
            CredentialsAPI.ExportCall(),
            secrets: [HeldSecret(passphrase)]
        )
        let file = try SealedFile(reply)
        try file.write(to: out)
        file.tell(at: out, output)
    }
}

struct VaultImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take in the logins of an exported vault, or of a backup.",
        discussion: """
            Shows first what would happen, and asks. Nothing that is here is replaced: what differs is a conflict, and \
            stays out. A server that this vault does not know has to be agreed to before a password goes there.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: CopyKeyOptions
    @Argument(help: "The file.", completion: .file())
    var file: String
    @Flag(help: "Show what would happen, and change nothing.")
    var dryRun = false
    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        try VaultCommand.requireUnlocked()
        try SealedFile.withPieces(of: file) { pieces in
            let secrets = try key.read()
            let plan = try call(secrets, pieces, isDryRun: true)
            guard !dryRun, plan.contains(where: { $0.verdict == .added }) else {
                show(plan, isPlan: true)
                return try report(plan)
            }
            if !yes {
                show(plan, isPlan: true)
                guard Terminal.inputIsTerminal else {
                    throw Failure(.usage, "there is no terminal to ask on: --yes imports without asking")
                }
                guard Question.isYes("Take in what is new?") else { throw Failure(.failed, "nothing was imported") }
            }
            let done = try call(secrets, pieces, isDryRun: false)
            if yes, output.isJSON || !output.isQuiet { show(done) }
            askForAgreement(done)
            try report(done)
        }
    }

    private func call(
        _ secrets: [HeldSecret],
        _ pieces: [UnsafeRawBufferPointer],
        isDryRun: Bool
    ) throws -> [CredentialsAPI.ImportedLogin] {
        let reply = try output.client().call(
            CredentialsAPI.ImportCall(provider: key.kind.rawValue, dryRun: isDryRun),
            secrets: secrets,
            pieces: pieces
        )
        if let note = reply.note {
            Terminal.writeError("relctl: warning: \(Printable(note))\n")
        }
        return reply.logins
    }

    /// - Parameter isPlan: whether this is a preview.
    private func show(_ logins: [CredentialsAPI.ImportedLogin], isPlan: Bool = false) {
        if output.isJSON { return JSONOption.write(["logins": .array(logins.map { .object($0.json) })]) }
        let rows = logins.map { login in
            [
                isPlan && login.verdict == .added ? "new" : login.verdict.rawValue, login.login,
                login.name ?? login.endpoint, login.url ?? "-",
                login.reason ?? (login.needsAgreement ? "its server has to be agreed to" : ""),
            ]
        }
        Terminal.write(Table(["RESULT", "LOGIN", "ENDPOINT", "ADDRESS", "WHY"], rows).text)
    }

    private func askForAgreement(_ logins: [CredentialsAPI.ImportedLogin]) {
        for endpoint in Set(logins.filter(\.needsAgreement).map(\.endpoint)).sorted() {
            let hint: Hint = "relctl endpoint repin \(endpoint)"
            output.note("before a password goes there, see who it is: \(hint.command)\n")
        }
    }

    private func report(_ logins: [CredentialsAPI.ImportedLogin]) throws {
        let conflicts = logins.count { $0.verdict == .conflict }
        guard conflicts > 0 else { return }
        throw Failure(
            .someFailed,
            "\(conflicts) of \(Counted(logins.count, "login")) in conflict with what is here, and left out",
            hint: "relctl login list"
        )
    }
}
