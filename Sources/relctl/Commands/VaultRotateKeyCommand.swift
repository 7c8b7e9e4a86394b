// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

struct VaultRotateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key",
        abstract: "Give the vault a new data key, and seal all passwords anew.",
        discussion: """
            Asks for every passphrase and recovery code that is to open the vault afterwards; a slot that cannot be \
            presented is dropped by name. What opened an older copy of the file does not lead to the new key.
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: ArgumentHelp("A key slot that does not come along; may be given several times.", valueName: "slot"))
    var drop: [String] = []
    @Flag(help: "Drop even the last passphrase or recovery code: then the vault opens on this machine alone.")
    var force = false
    @Flag(help: "Read the secrets as lines of standard input, in the order of 'relctl vault slot list'.")
    var stdin = false

    func run() throws {
        let input = try SecretInput()
        let vault = try VaultCommand.requireUnlocked()
        let kept = vault.slots.filter { slot in !drop.contains { slot.isCalled($0) } }
        var secrets: [HeldSecret] = []
        var presented: [String] = []
        for slot in kept {
            guard let prompt = slot.prompt else { continue }
            let secret = try input.read(
                prompt,
                fromStandardInput: stdin,
                isNew: false,
                maximumBytes: SecretLineReader.maximumPassphraseBytes
            )
            secrets.append(HeldSecret(secret))
            presented.append(slot.id)
        }
        let reply = try output.client().call(
            CredentialsAPI.RotateKeyCall(present: presented, drop: drop, force: force),
            secrets: secrets
        )
        VaultCommand.tell(reply.vault, note: reply.note, output)
    }
}
