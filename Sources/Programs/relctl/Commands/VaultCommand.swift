// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract:
            "The encrypted file of logins: init, unlock, lock, status, accept, upgrade, key slots, copies.",
        subcommands: [
            VaultInitCommand.self, VaultUnlockCommand.self, Lock.self, Status.self, Accept.self, Upgrade.self,
            VaultProvidersCommand.self, VaultSlotCommand.self, VaultChangePassphraseCommand.self,
            VaultRotateKeyCommand.self, VaultBackupCommand.self, VaultRestoreCommand.self, VaultExportCommand.self,
            VaultImportCommand.self,
        ]
    )

    struct Lock: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lock",
            abstract: "Lock the vault, and end the sessions that used it."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let reply = try DaemonClient().call(CredentialsAPI.LockCall(), within: .seconds(10))
            VaultCommand.report(reply.vault, output)
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the vault's state and what protects it."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            VaultCommand.show(try CredentialsAPI.Vault.fetch(DaemonClient()), output)
        }
    }
}

extension VaultCommand {
    static func show(_ vault: CredentialsAPI.Vault, _ output: OutputOptions) {
        output.show(vault.json, else: text(vault))
    }

    /// Prints the vault after a change.
    ///
    /// - Parameter note: a warning about a part of the change that the daemon could not carry out.
    static func report(_ vault: CredentialsAPI.Vault, note: String? = nil, _ output: OutputOptions) {
        output.report(vault.json, else: text(vault))
        if let note { Terminal.writeError("relctl: warning: \(Printable(note))\n") }
    }

    /// Like `report`, but fails if the vault is read-only.
    static func reportUnlocked(_ vault: CredentialsAPI.Vault, note: String? = nil, _ output: OutputOptions) throws {
        report(vault, note: note, output)
        if vault.anchor?.verdict == .unanchored {
            Terminal.writeError(
                "relctl: warning: no record of the vault's last state was found, so an older copy of the file would be unnoticed\n"
            )
        }
        guard let anchor = vault.anchor, anchor.isSuspected else { return }
        throw Failure(
            .vaultDegraded,
            "the vault is read-only and no login is sent: \(text(anchor)); restore the right file, or accept this one",
            hint: acceptance(vault)
        )
    }

    private static func acceptance(_ vault: CredentialsAPI.Vault) -> Hint {
        "relctl vault accept --generation \(vault.anchor?.found ?? vault.generation ?? 0)"
    }

    private static func text(_ anchor: CredentialsAPI.Anchor) -> String {
        let known = anchor.known.map { "generation \($0)" } ?? "another file"
        return switch anchor.verdict {
        case .unanchored: "unanchored: rollback could not be checked when the vault was unlocked"
        case .current, .newer: "\(known), recorded in \(anchor.places.joined(separator: " and "))"
        case .rollbackSuspected: "rollback suspected: \(known) was recorded, and the file is older"
        case .forkSuspected: "fork suspected: the file does not descend from the recorded one"
        }
    }

    private static func text(_ vault: CredentialsAPI.Vault) -> String {
        let notes = vault.anchor?.notes.map { "note: \($0.text)\n" } ?? []
        return facts(vault).text + notes.joined()
    }

    private static func facts(_ vault: CredentialsAPI.Vault) -> Facts {
        let slots = vault.slots.map { "\($0.kind) \($0.name) (\($0.protection), created \(Day($0.created)))" }
        let weakest = vault.slots.first { $0.id == vault.weakestSlot }
        return Facts([
            "vault": vault.anchor?.isSuspected == true ? "\(vault.state.rawValue), degraded" : vault.state.rawValue,
            "file": vault.path,
            "generation": vault.generation.map { "\($0)" },
            "opened by": slots.isEmpty ? nil : slots.joined(separator: ", "),
            "weakest slot": weakest.map { "\($0.name), \($0.kind): \($0.strength)" },
            "anchor": vault.anchor.map(text),
            "logins": vault.logins.map { "\($0)" },
            "locks in": vault.locksInSeconds.map { "\(PlainSpan(seconds: $0))" },
            "memory": vault.memory,
            "memory note": vault.memoryNote,
            "problem": vault.problem,
            "next": vault.isFileMissing
                ? vault.rescue ?? CredentialsAPI.Vault.waysWithoutCopy : vault.problem == nil ? next(vault) : nil,
        ])
    }

    private static func next(_ vault: CredentialsAPI.Vault) -> String? {
        switch vault.state {
        case .absent: "relctl vault init"
        case .sealed, .locked: "relctl vault unlock"
        case .unlocked: vault.anchor?.isSuspected == true ? acceptance(vault).command : nil
        }
    }
}

struct VaultUnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the vault.",
        discussion: """
            Uses a key that is stored outside the vault if there is one; otherwise asks for the passphrase. On an \
            unlocked vault, checks the key, passphrase or code.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "Kind of key slot to use.")
    var provider: ProviderName?
    @Flag(help: "Open with the recovery code; short for --provider recovery-code.")
    var recoveryCode = false
    @Flag(help: "Read the passphrase or recovery code as one line of standard input.")
    var stdin = false
    @Flag(help: "Short for --provider passphrase --stdin.")
    var passphraseStdin = false

    func validate() throws {
        if passphraseStdin, recoveryCode || provider ?? .passphrase != .passphrase {
            throw ValidationError("--passphrase-stdin requires --provider passphrase")
        }
        if recoveryCode, provider ?? .recoveryCode != .recoveryCode {
            throw ValidationError("--recovery-code and --provider cannot be used together")
        }
        if stdin, let provider, provider.prompt == nil {
            throw ValidationError("--provider \(provider.rawValue) reads no secret from standard input")
        }
    }

    func run() throws {
        let vault = try CredentialsAPI.Vault.fetch(try output.client())
        let locked = LockedVault(vault, try SecretInput(), output)
        let kinds = vault.slots.compactMap { ProviderName(rawValue: $0.kind) }
        // A vault that cannot be read shows no slots.
        guard !kinds.isEmpty else { return try VaultCommand.reportUnlocked(locked.unlockUnread(), output) }
        let kind = chosen(of: kinds)
        do {
            try VaultCommand.reportUnlocked(locked.unlock(kind, fromStandardInput: stdin || passphraseStdin), output)
        } catch let error as DaemonError where error.code == .providerUnavailable {
            throw failure(error, others: kinds.filter { $0 != kind })
        }
    }

    private func chosen(of kinds: [ProviderName]) -> ProviderName {
        if let provider { return provider }
        if recoveryCode { return .recoveryCode }
        if passphraseStdin { return .passphrase }
        let typed = kinds.contains(.passphrase) ? ProviderName.passphrase : .recoveryCode
        return stdin ? typed : kinds.first { $0.prompt == nil } ?? typed
    }

    /// The failure of a key provider. It names another slot in a hint, but no other slot is tried automatically.
    private func failure(_ error: DaemonError, others: [ProviderName]) -> any Error {
        guard let other = others.first(where: { $0.prompt != nil }) ?? others.first else {
            return error
        }
        return Failure(
            .providerUnavailable,
            error.message,
            hint: Hint(command: "relctl vault unlock --provider \(other.rawValue)")
        )
    }
}

struct VaultChangePassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-passphrase",
        abstract: "Change the passphrase.",
        discussion: """
            Older copies of the vault's file still open with the old passphrase. If someone else may know it, also run \
            'relctl vault rotate-key', and change the passwords on the servers.
            """
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Read the old and the new passphrase as two lines of standard input.")
    var stdin = false

    func run() throws {
        let input = try SecretInput()
        try CredentialsAPI.Vault.requireUnlocked()
        let old = try input.read("old passphrase", fromStandardInput: stdin)
        let new = try input.read("new passphrase", fromStandardInput: stdin, isNew: true)
        let reply = try output.client("deriving the vault's key").call(
            CredentialsAPI.ChangePassphraseCall(),
            secrets: [old, new]
        )
        VaultCommand.report(reply.vault, output)
        output.note(
            """
            relctl: note: older copies of the vault still open with the old passphrase; if someone else may know it, \
            rotate the key (relctl vault rotate-key) and change the passwords on the servers

            """
        )
        if Terminal.inputIsTerminal, !stdin, Question.isYes("Rotate the key now?") {
            try VaultRotateKeyCommand.parse((output.isJSON ? ["--json"] : []) + (output.isQuiet ? ["--quiet"] : []))
                .run()
        }
    }
}

struct VaultRotateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Replace the vault's data key, and encrypt all passwords again.",
        discussion: """
            Asks for every passphrase and recovery code that is to be kept. A slot whose secret is not available must \
            be dropped with --drop. Secrets of older copies of the file do not give access to the new key.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("A key slot to drop. Repeatable.", valueName: "slot"))
    var drop: [String] = []
    @Flag(help: "Drop even the last passphrase or recovery code. The vault then opens only on this machine.")
    var force = false
    @Flag(help: "Read the secrets as lines of standard input, in the order of 'relctl vault slot list'.")
    var stdin = false

    func run() throws {
        let input = try SecretInput()
        let vault = try CredentialsAPI.Vault.requireUnlocked()
        let kept = vault.slots.filter { slot in !drop.contains { slot.isCalled($0) } }
        var secrets: [HeldSecret] = []
        var presented: [String] = []
        for slot in kept {
            guard let prompt = slot.prompt else { continue }
            secrets.append(try input.read(prompt, fromStandardInput: stdin))
            presented.append(slot.id)
        }
        let reply = try output.client().call(
            CredentialsAPI.RotateKeyCall(present: presented, drop: drop, force: force),
            secrets: secrets
        )
        VaultCommand.report(reply.vault, note: reply.note, output)
    }
}

extension VaultCommand {
    struct Accept: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept",
            abstract: "Accept an older or forked vault file.",
            discussion: """
                If the file is not the last one that was saved on this machine, the vault is read-only and no login is \
                sent. Accept the file if you restored it yourself. Later changes are not in it.
                """
        )

        @OptionGroup var output: OutputOptions
        @Option(help: "Generation of the file, as shown by 'relctl vault status'.")
        var generation: Int64
        @OptionGroup var yes: YesOption

        func run() throws {
            guard try yes.isOn || isAgreed(CredentialsAPI.Vault.fetch(DaemonClient())) else {
                throw Failure(.failed, "nothing was accepted")
            }
            let reply = try DaemonClient().call(
                CredentialsAPI.AcceptCall(generation: generation),
                within: DaemonClient.slow
            )
            VaultCommand.report(reply.vault, output)
        }

        private func isAgreed(_ vault: CredentialsAPI.Vault) throws -> Bool {
            try Question.requireTerminal("use --yes for the right file", isConfirmation: true)
            let known = vault.anchor?.known.map { " The last recorded generation is \($0)." } ?? ""
            return Question.isYes("Accept generation \(generation) as the vault?\(known)")
        }
    }
}

extension VaultCommand {
    struct Upgrade: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "upgrade",
            abstract: "Check that the vault's file has a format that this version writes.",
            discussion: """
                Each save uses the lowest format that can hold the content of the vault, 1.0 or 1.1. This command \
                changes nothing, and fails if the file has a later format.
                """
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let vault = try DaemonClient().call(CredentialsAPI.UpgradeCall(), within: DaemonClient.slow).vault
            output.report(vault.json, else: "the vault is already at format \(Printable(vault.format ?? "1.0"))\n")
        }
    }
}
