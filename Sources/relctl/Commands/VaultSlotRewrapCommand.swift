// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform

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
        // Where the name fits none or several, the daemon says so.
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
