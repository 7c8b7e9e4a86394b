// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform

struct VaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vault",
        abstract: "The encrypted file of logins: init, unlock, lock, status, accept, upgrade.",
        subcommands: [Init.self, Unlock.self, Lock.self, Status.self, Accept.self, Upgrade.self]
    )

    enum Provider: String, ExpressibleByArgument, CaseIterable {
        case passphrase
        case secretService = "secret-service"
        case credentialsDirectory = "credentials-directory"
    }

    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a vault.",
            discussion: """
                The key provider is fixed here: 'passphrase' asks for one at each unlock, 'secret-service' keeps a key in \
                the desktop's keyring, 'credentials-directory' takes the key from the systemd credential \
                relativityd.vault-key.
                """
        )

        @OptionGroup var json: JSONOption
        @Option(help: "What opens the vault.")
        var provider: Provider = .passphrase
        @Flag(help: "Read the passphrase as one line of standard input.")
        var passphraseStdin = false

        func run() throws {
            let client = try DaemonClient()
            switch provider {
            case .passphrase:
                let input = try SecretInput()
                let passphrase = try input.read(
                    "passphrase",
                    fromStandardInput: passphraseStdin,
                    isNew: true,
                    maximumBytes: SecretLineReader.maximumPassphraseBytes
                )
                let reply = try passphrase.withBytes { bytes in
                    try client.call(
                        "org.relativityd.Credentials.Init",
                        ["provider": .string(provider.rawValue)],
                        secret: bytes
                    )
                }
                try VaultCommand.show(reply, json: json)
            case .secretService, .credentialsDirectory:
                let reply = try client.call(
                    "org.relativityd.Credentials.Init",
                    ["provider": .string(provider.rawValue)],
                    within: DaemonClient.slow
                )
                try VaultCommand.show(reply, json: json)
            }
        }
    }

    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Unlock the vault.")

        @OptionGroup var json: JSONOption
        @Flag(help: "Read the passphrase as one line of standard input.")
        var passphraseStdin = false

        func run() throws {
            let client = try DaemonClient()
            let vault = try VaultCommand.status(client)
            // A vault that cannot be read shows no slots; the daemon says what is wrong with it.
            guard vault.slots.contains(where: { $0.kind == Provider.passphrase.rawValue }) else {
                let reply = try client.call("org.relativityd.Credentials.Unlock", within: DaemonClient.slow)
                try VaultCommand.showUnlocked(reply, json: json)
                return
            }
            let passphrase = try SecretInput().read(
                "passphrase",
                fromStandardInput: passphraseStdin,
                isNew: false,
                maximumBytes: SecretLineReader.maximumPassphraseBytes
            )
            let reply = try passphrase.withBytes { bytes in
                try client.call("org.relativityd.Credentials.Unlock", secret: bytes)
            }
            try VaultCommand.showUnlocked(reply, json: json)
        }
    }

    struct Lock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lock the vault, and end the sessions that used it."
        )

        @OptionGroup var json: JSONOption

        func run() throws {
            try VaultCommand.show(
                try DaemonClient().call("org.relativityd.Credentials.Lock", within: .seconds(10)),
                json: json
            )
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the vault's state and what protects it.")

        @OptionGroup var json: JSONOption

        func run() throws {
            try VaultCommand.show(try DaemonClient().call("org.relativityd.Credentials.GetStatus"), json: json)
        }
    }
}
