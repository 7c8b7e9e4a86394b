// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import LocalAPI
import Platform

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
