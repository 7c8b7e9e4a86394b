// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct VaultSlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot",
        abstract: "Key slots of the vault: list, add, remove, rewrap, label.",
        discussion: "SLOT is an ID, the first digits of an ID, or a label that only one slot has.",
        subcommands: [List.self, VaultSlotAddCommand.self, Remove.self, VaultSlotRewrapCommand.self, Label.self]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the key slots.",
            aliases: ["ls"]
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let vault = try CredentialsAPI.Vault.fetch(try DaemonClient())
            try vault.checkReadable()
            if output.isJSON { return JSONOption.write(["slots": .array(vault.slots.map { .object($0.json) })]) }
            guard !vault.slots.isEmpty else {
                throw Failure(.vaultLocked, "there is no vault", hint: "relctl vault init")
            }
            let rows = vault.slots.map { slot in
                [slot.id, slot.kind, slot.label.isEmpty ? "-" : slot.label, slot.protection, "\(Day(slot.created))"]
            }
            Terminal.write(Table(["SLOT", "KIND", "LABEL", "STRENGTH", "CREATED"], rows).text)
        }
    }

    struct Remove: ParsableCommand {
        private static let removalEffect =
            "A passphrase or recovery code still opens older copies of the vault; any other key is deleted, with which copies may "
            + "be lost that nothing else opens."

        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a key slot.",
            discussion: removalEffect,
            aliases: ["rm"]
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "Key slot ID or label.")
        var slot: String
        @Flag(help: "Remove even the last passphrase or recovery code. The vault then opens only on this machine.")
        var force = false
        @OptionGroup var yes: YesOption

        func run() throws {
            try yes.confirmRemoval("Remove the key slot? \(Self.removalEffect)")
            let reply = try DaemonClient().call(
                CredentialsAPI.RemoveSlotCall(slot: slot, force: force),
                within: DaemonClient.slow
            )
            VaultCommand.report(reply.vault, note: reply.note, output)
        }
    }

    struct Label: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "label", abstract: "Label a key slot.")

        @OptionGroup var output: OutputOptions
        @Argument(help: "Key slot ID or label.")
        var slot: String
        @Argument(help: "The new label, at most 64 bytes; empty for none.")
        var label: String

        func run() throws {
            let reply = try DaemonClient().call(
                CredentialsAPI.LabelSlotCall(slot: slot, label: label),
                within: DaemonClient.slow
            )
            VaultCommand.report(reply.vault, output)
        }
    }
}

struct VaultSlotAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a key slot to the unlocked vault.",
        discussion: "The vault is only as secure as its weakest slot, which 'relctl vault status' shows."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: KeyOptions
    @Flag(help: "Read the new passphrase as one line of standard input.")
    var stdin = false
    @Option(help: "Write the recovery code to this new file instead of showing it.", completion: .file())
    var recoveryCodeFile: String?

    func validate() throws {
        guard let provider = key.provider else { throw ValidationError("missing --provider: the kind of slot to add") }
        if stdin, provider != .passphrase { throw ValidationError("--stdin requires --provider passphrase") }
        if recoveryCodeFile != nil, provider != .recoveryCode {
            throw ValidationError("--recovery-code-file requires --provider recovery-code")
        }
    }

    func run() throws {
        guard let provider = key.provider else { return }
        let input = try SecretInput()
        try CredentialsAPI.Vault.requireUnlocked()
        let secrets = try secret(provider, input).map { [$0] } ?? []
        let reply = try RecoveryCodeInput.keeping(recoveryCodeFile) {
            try output.client("deriving the vault's key").call(
                CredentialsAPI.AddSlotCall(
                    provider: provider.rawValue,
                    label: key.label,
                    insecureKeyFile: key.insecureKeyfile
                ),
                secrets: secrets
            )
        }
        VaultCommand.report(reply.vault, output)
    }

    private func secret(_ provider: ProviderName, _ input: SecretInput) throws -> HeldSecret? {
        switch provider {
        case .passphrase:
            return try input.read("new passphrase", fromStandardInput: stdin, isNew: true)
        case .recoveryCode:
            let codes = RecoveryCodeInput(arena: input.arena)
            if let recoveryCodeFile { return try codes.write(to: recoveryCodeFile) }
            try Question.requireTerminal("write the recovery code to a new file with --recovery-code-file")
            return try codes.show()
        default:
            return nil
        }
    }
}

struct VaultSlotRewrapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewrap",
        abstract: "Wrap the vault's key in a slot again, with a new salt and cost.",
        discussion: "The secret does not change. The salt and the cost of guessing a passphrase are renewed."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Key slot ID or label.")
    var slot: String
    @Flag(help: "Read the passphrase or recovery code as one line of standard input.")
    var stdin = false

    func run() throws {
        let vault = try CredentialsAPI.Vault.requireUnlocked()
        var secrets: [HeldSecret] = []
        // If the name matches no slot or several, the daemon reports it.
        if let record = vault.slots.first(where: { $0.isCalled(slot) }), let prompt = record.prompt {
            secrets.append(try SecretInput().read(prompt, fromStandardInput: stdin))
        }
        let reply = try output.client("deriving the vault's key").call(
            CredentialsAPI.RewrapSlotCall(slot: slot),
            secrets: secrets
        )
        VaultCommand.report(reply.vault, output)
    }
}
