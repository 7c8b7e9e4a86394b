// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract:
            "The encrypted file of logins: init, unlock, lock, status, accept, upgrade; what opens it; copies of it.",
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
            VaultCommand.tell(reply.vault, output)
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show the vault's state and what protects it."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            VaultCommand.show(try VaultCommand.status(DaemonClient()), output)
        }
    }
}
