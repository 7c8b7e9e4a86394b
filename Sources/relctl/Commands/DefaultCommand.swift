// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct DefaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "The login that verbs use where none is named: set, show, unset.",
        discussion: """
            The variable RELATIVITYD_LOGIN goes before it, and --login before both. A verb that uses one that its line \
            does not name says which, and who has chosen it.
            """,
        subcommands: [Set.self, Show.self, Unset.self]
    )

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Name the default.")

        @OptionGroup var output: OutputOptions
        @Argument(help: "The name of a login.", completion: LiveNames.logins)
        var login: String

        func run() throws {
            let reply = try DaemonClient().call(CredentialsAPI.ListLoginsCall())
            if !reply.logins.contains(where: { $0.name == login }) {
                // Those of a locked vault cannot be looked up.
                guard reply.missing != nil else {
                    throw Failure(.notFound, "no login '\(Printable(login))'", hint: "relctl login list")
                }
                output.note("relctl: whether there is such a login shows when the vault is unlocked\n")
            }
            let environment = Environment.ofProcess()
            try DefaultLogin(environment).write(login)
            let chosen = try ChosenLogin.standing(environment)
            if let chosen, chosen.chooser == .environment { chosen.tell(output.quiet) }
            output.tell(ChosenLogin.json(chosen))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show which login counts where none is named, and who has chosen it."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let chosen = try ChosenLogin.standing()
            guard let chosen else {
                output.tell([:])
                return output.note("no default: relctl default set LOGIN\n")
            }
            output.show(
                ChosenLogin.json(chosen),
                else: Facts(["login": chosen.name, "chosen by": chosen.chooser.rawValue]).text
            )
        }
    }

    struct Unset: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "unset", abstract: "Have no default any more.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            try DefaultLogin(.ofProcess()).write(nil)
            try output.tell(ChosenLogin.json(ChosenLogin.standing()))
        }
    }
}
