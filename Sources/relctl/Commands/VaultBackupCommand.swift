// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

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
        // A backup of the same save is there already where nothing has changed since.
        if try !file.isAt(path) { try file.write(to: path) }
        file.tell(at: path, output)
    }
}
