// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform

struct VaultSlotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot",
        abstract: "What opens the vault: list, add, remove, rewrap, label.",
        discussion: "A SLOT is given as its id, the first digits of it, or its label where only one slot has that.",
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
            let vault = try VaultCommand.status(try DaemonClient())
            try VaultCommand.checkReadable(vault)
            if output.isJSON { return JSONOption.write(["slots": .array(vault.slots.map { .object($0.json) })]) }
            guard !vault.slots.isEmpty else {
                throw Failure(.vaultLocked, "there is no vault", hint: "relctl vault init")
            }
            let rows = vault.slots.map { slot in
                [slot.id, slot.kind, slot.label.isEmpty ? "-" : slot.label, slot.protection, "\(Day(slot.created))"]
            }
            Terminal.write(Table(["SLOT", "KIND", "LABEL", "STRENGTH", "MADE"], rows).text)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a key slot.",
            discussion: "Copies of the vault's file that were made before still open with it.",
            aliases: ["rm"]
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The id or label of a key slot.")
        var slot: String
        @Flag(help: "Also the last passphrase or recovery code: then the vault opens on this machine alone.")
        var force = false
        @Flag(name: .shortAndLong, help: "Do not ask.")
        var yes = false

        func run() throws {
            if Terminal.inputIsTerminal, !yes {
                guard Question.isYes("Remove the key slot? Older copies of the vault still open with it.") else {
                    throw Failure(.failed, "nothing was removed")
                }
            }
            let reply = try DaemonClient().call(
                CredentialsAPI.RemoveSlotCall(slot: slot, force: force),
                within: DaemonClient.slow
            )
            VaultCommand.tell(reply.vault, note: reply.note, output)
        }
    }

    struct Label: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "label", abstract: "Name a key slot.")

        @OptionGroup var output: OutputOptions
        @Argument(help: "The id or label of a key slot.")
        var slot: String
        @Argument(help: "The new label, at most 64 bytes; empty for none.")
        var label: String

        func run() throws {
            let reply = try DaemonClient().call(
                CredentialsAPI.LabelSlotCall(slot: slot, label: label),
                within: DaemonClient.slow
            )
            VaultCommand.tell(reply.vault, output)
        }
    }
}

struct VaultSlotAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a key slot to the unlocked vault.",
        discussion: "The vault is as weak as its weakest slot, which 'relctl vault status' names."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: KeyOptions
    @Flag(help: "Read the new passphrase as one line of standard input.")
    var stdin = false
    @Option(help: "Write the recovery code into this new file instead of showing it.", completion: .file())
    var recoveryCodeFile: String?

    func validate() throws {
        guard let provider = key.provider else { throw ValidationError("--provider says what kind of slot to add") }
        if stdin, provider != .passphrase { throw ValidationError("--stdin is for --provider passphrase") }
        if recoveryCodeFile != nil, provider != .recoveryCode {
            throw ValidationError("--recovery-code-file is for --provider recovery-code")
        }
    }

    func run() throws {
        guard let provider = key.provider else { return }
        let input = try SecretInput()
        try VaultCommand.requireUnlocked()
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
        VaultCommand.tell(reply.vault, output)
    }

    private func secret(_ provider: ProviderName, _ input: SecretInput) throws -> HeldSecret? {
        switch provider {
        case .passphrase:
            return HeldSecret(
                try input.read(
                    "new passphrase",
                    fromStandardInput: stdin,
                    isNew: true,
                    maximumBytes: SecretLineReader.maximumPassphraseBytes
                )
            )
        case .recoveryCode:
            let codes = RecoveryCodeInput(arena: input.arena)
            if let recoveryCodeFile { return try codes.write(to: recoveryCodeFile) }
            guard Terminal.inputIsTerminal else {
                throw Failure(
                    .usage,
                    "standard input is no terminal to show a recovery code on: --recovery-code-file names a new file for it"
                )
            }
            return try codes.show()
        default:
            return nil
        }
    }
}

struct VaultSlotRewrapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewrap",
        abstract: "Wrap the vault's key anew for the secret that a slot has.",
        discussion: "The secret stays the same; the salt is new, and so is the work that a guess at a passphrase takes."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The id or label of a key slot.")
    var slot: String
    @Flag(help: "Read the passphrase or recovery code as one line of standard input.")
    var stdin = false

    func run() throws {
        let vault = try VaultCommand.requireUnlocked()
        var secrets: [HeldSecret] = []
        // If the name matches no slot or several, the daemon reports it.
        if let record = vault.slots.first(where: { $0.isCalled(slot) }), let prompt = record.prompt {
            let secret = try SecretInput().read(
                prompt,
                fromStandardInput: stdin,
                isNew: false,
                maximumBytes: SecretLineReader.maximumPassphraseBytes
            )
            secrets.append(HeldSecret(secret))
        }
        let reply = try output.client("deriving the vault's key").call(
            CredentialsAPI.RewrapSlotCall(slot: slot),
            secrets: secrets
        )
        VaultCommand.tell(reply.vault, output)
    }
}
