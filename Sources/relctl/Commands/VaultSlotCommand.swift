// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI

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
