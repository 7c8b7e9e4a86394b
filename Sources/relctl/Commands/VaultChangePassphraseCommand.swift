// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

struct VaultChangePassphraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change-passphrase",
        abstract: "Replace the passphrase.",
        discussion: """
            Copies of the vault's file that were made before still open with the old one. If somebody may know it, run \
            'relctl vault rotate-key' too, and change the passwords on the servers.
            """
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Read the old and the new passphrase as two lines of standard input.")
    var stdin = false

    func run() throws {
        let input = try SecretInput()
        try VaultCommand.requireUnlocked()
        let old = try input.read(
            "old passphrase",
            fromStandardInput: stdin,
            isNew: false,
            maximumBytes: SecretLineReader.maximumPassphraseBytes
        )
        let new = try input.read(
            "new passphrase",
            fromStandardInput: stdin,
            isNew: true,
            maximumBytes: SecretLineReader.maximumPassphraseBytes
        )
        let reply = try output.client("deriving the vault's key").call(
            CredentialsAPI.ChangePassphraseCall(),
            secrets: [HeldSecret(old), HeldSecret(new)]
        )
        VaultCommand.tell(reply.vault, output)
        output.note(
            """
            relctl: note: copies of the vault made before still open with the old passphrase; if somebody may know it, \
            rotate the key (relctl vault rotate-key) and change the passwords on the servers

            """
        )
        if Terminal.inputIsTerminal, !stdin, Question.isYes("Rotate the key now?") {
            try VaultRotateKeyCommand.parse((output.isJSON ? ["--json"] : []) + (output.isQuiet ? ["--quiet"] : []))
                .run()
        }
    }
}
