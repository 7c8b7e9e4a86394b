// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

extension VaultCommand {
    struct Upgrade: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "upgrade",
            abstract: "See that the vault's file has a format that this version writes.",
            discussion: """
                Each save takes the lowest format that holds what is in the vault, 1.0 or 1.1: nothing is changed, and a file \
                of a later one is an error.
                """
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let vault = try DaemonClient().call(CredentialsAPI.UpgradeCall(), within: DaemonClient.slow).vault
            output.tell(vault.json, else: "the vault is already at format \(Printable(vault.format ?? "1.0"))\n")
        }
    }
}
