// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

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
