// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct VaultBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the vault's file into a directory.",
        discussion: """
            The copy is decrypted once to verify it. The key slots of the vault open it: a passphrase or recovery code \
            on any machine, a key that is stored outside the vault only on this one. 'relctl vault restore' restores \
            it.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "The directory for vault-GENERATION-HASH.rcv.", completion: .directory)
    var to: String

    func validate() throws {
        guard !to.isEmpty else { throw ValidationError("--to must name a directory") }
    }

    func run() throws {
        let reply = try DaemonClient().call(CredentialsAPI.BackupCall(), within: .seconds(30))
        let file = try SealedFile(reply)
        let path = "\(to)/vault-\(file.generation)-\(file.sha256.prefix(8)).rcv"
        // A backup of the same save is there already where nothing has changed since.
        if !file.isAt(path) { try file.write(to: path) }
        file.report(at: path, output)
    }
}

struct VaultRestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the vault with a backup, and unlock it.",
        discussion: """
            Adds its servers to the list if they are missing. A password command in it does not run before 'relctl \
            login edit --agree-command'. If the backup is older than the vault that is replaced, \
            the vault is read-only until 'relctl vault accept'.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: CopyKeyOptions
    @Argument(help: "File written by 'relctl vault backup'.", completion: .file())
    var file: String
    @Flag(help: "Replace an existing vault, which is kept as vault.rcv.prev.")
    var replace = false

    func run() throws {
        let vault = try CredentialsAPI.Vault.fetch(try output.client())
        if vault.isUnsafe { try vault.checkReadable() }
        guard vault.state == .absent || replace || (vault.isFileMissing && vault.state != .unlocked) else {
            throw Failure(
                .failed,
                "a vault already exists at '\(Printable(vault.path))': use --replace to replace it",
                hint: "relctl vault import \(file)"
            )
        }
        try SealedFile.withPieces(of: file) { pieces in
            let reply = try output.client().call(
                CredentialsAPI.RestoreCall(provider: key.kind.rawValue, replace: replace),
                secrets: try key.read(),
                pieces: pieces
            )
            for login in reply.commandsToAgree { PasswordCommandOption.noteAgreement(to: login, output) }
            try VaultCommand.reportUnlocked(reply.vault, note: reply.note, output)
        }
    }
}

struct VaultExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the logins to a new vault file, for another machine.",
        discussion: "Only its own passphrase opens the new file. 'relctl vault import' imports it."
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "File to write, which must not exist.", completion: .file())
    var out: String
    @Flag(help: "Read the new file's passphrase as one line of standard input.")
    var stdin = false

    func run() throws {
        try CredentialsAPI.Vault.requireUnlocked()
        try SealedFile.checkFree(out)
        let passphrase = try SecretInput().read("passphrase of the new file", fromStandardInput: stdin, isNew: true)
        let file = try SealedFile(try output.client().call(CredentialsAPI.ExportCall(), secrets: [passphrase]))
        try file.write(to: out)
        file.report(at: out, output)
    }
}

struct VaultImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import logins from an exported vault or a backup.",
        discussion: """
            Shows a preview first, and asks. Existing logins are not replaced: a login that differs is a conflict and \
            is not imported. The identity of a server that this vault does not know must be confirmed before a \
            password is sent, and a password command before it runs.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: CopyKeyOptions
    @Argument(help: "The file.", completion: .file())
    var file: String
    @Flag(help: "Show a preview, and change nothing.")
    var dryRun = false
    @OptionGroup var yes: YesOption

    func run() throws {
        try CredentialsAPI.Vault.requireUnlocked()
        try SealedFile.withPieces(of: file) { pieces in
            let secrets = try key.read()
            let plan = try call(secrets, pieces, isDryRun: true)
            guard !dryRun, plan.contains(where: { $0.verdict == .added }) else {
                show(plan, isPlan: true)
                return try report(plan)
            }
            if !yes.isOn {
                show(plan, isPlan: true)
                try Question.requireTerminal("use --yes to import anyway", isConfirmation: true)
                guard Question.isYes("Import the new logins?") else { throw Failure(.failed, "nothing was imported") }
            }
            let done = try call(secrets, pieces, isDryRun: false)
            if yes.isOn, output.isJSON || !output.isQuiet { show(done) }
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
                login.reason?.text ?? Self.conditions(of: login),
            ]
        }
        Terminal.write(Table(["RESULT", "LOGIN", "ENDPOINT", "ADDRESS", "WHY"], rows).text)
    }

    /// What the user must confirm before the login can be used.
    private static func conditions(of login: CredentialsAPI.ImportedLogin) -> String {
        guard login.verdict == .added else { return "" }
        let identity = login.needsAgreement ? "confirm the server's identity first" : nil
        let command = login.passwordCommand.map { "confirm the command first: \(PasswordCommandOption.text($0))" }
        return [identity, command].compactMap(\.self).joined(separator: "; ")
    }

    private func askForAgreement(_ logins: [CredentialsAPI.ImportedLogin]) {
        for endpoint in Set(logins.filter(\.needsAgreement).map(\.endpoint)).sorted() {
            let hint: Hint = "relctl endpoint repin \(endpoint)"
            output.note("before a password is sent, confirm the server's identity: \(hint.command)\n")
        }
        for login in logins where login.verdict == .added && login.passwordCommand != nil {
            PasswordCommandOption.noteAgreement(to: login.login, output)
        }
    }

    private func report(_ logins: [CredentialsAPI.ImportedLogin]) throws {
        let conflicts = logins.count { $0.verdict == .conflict }
        guard conflicts > 0 else { return }
        throw Failure(
            .someFailed,
            "\(conflicts) of \(Counted(logins.count, "login")) in conflict with existing logins, and not imported",
            hint: "relctl login list"
        )
    }
}
