// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Stored logins: add, list, test, edit, rename, remove.",
        subcommands: [
            LoginAddCommand.self, List.self, Test.self, LoginEditCommand.self, LoginRenameCommand.self, Remove.self,
        ]
    )

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the logins; never a password.",
            aliases: ["ls"]
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let object = try DaemonClient().json(CredentialsAPI.ListLoginsCall())
            if output.isJSON { return JSONOption.write(object) }
            let reply = try CredentialsAPI.ListLoginsReply(json: object)
            let rows = reply.logins.map { login in
                [
                    login.name, login.origin.rawValue, login.user, login.domain ?? "-", login.schema ?? "-",
                    login.endpoint, Self.pin(login),
                ]
            }
            if let missing = reply.missing {
                output.note("without those of the vault: \(Printable(again: missing))\n")
            }
            if rows.isEmpty {
                output.note("no logins: relctl login add ENDPOINT --user USER\n")
            } else {
                Terminal.write(
                    Table(["NAME", "ORIGIN", "USER", "DOMAIN", "SCHEMA", "ENDPOINT", "BOUND TO"], rows).text
                )
            }
        }

        private static func pin(_ login: CredentialsAPI.Login) -> String {
            let agreement = login.verified ? "" : ", not agreed to"
            let kind: String
            switch login.strength {
            case .authority: return "CA for \(login.authority ?? "-")\(agreement)"
            case .tlsKey: kind = "TLS key"
            case .address: kind = "address, plain"
            case .loopback: kind = "this machine"
            }
            return "\(kind) \(login.pin.prefix(16))\(Style.ofOutput.ellipsis)\(agreement)"
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Log in and out once, and print each step.",
            discussion: "A login that the server refused is not sent again until it is tested or replaced."
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The name of a login.", completion: LiveNames.logins)
        var login: String

        func run() throws {
            let reply = try output.client("logging in").call(
                CredentialsAPI.TestLoginCall(login: login),
                within: DaemonClient.slow
            )
            output.tell(reply.json, else: Self.text(of: reply.steps, strength: reply.strength))
            LoginCommand.warn(samplePassword: reply.samplePassword)
            guard let failure = reply.steps.first(where: { !$0.ok }) else { return }
            let code = reply.error.flatMap(DaemonError.Code.init(rawValue:)) ?? .failed
            throw Failure(
                ExitStatus(code),
                "the login does not work: \(failure.detail)",
                hint: code == .loginRejected
                    ? "relctl login edit --password \(login)"
                    : "relctl doctor --login=\(login)"
            )
        }

        private static func text(of steps: [CredentialsAPI.Step], strength: CredentialsAPI.PinStrength) -> String {
            let lines = steps.map { step in
                Columns([StateWord(step.ok ? "ok" : "failed"), step.step, Printable(again: step.detail)]).text
            }
            return Columns(["strength", strength.rawValue, "what the server's pin proves"]).text + lines.joined()
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a login, and end the sessions that use it.",
            discussion: "Backups of the vault that were made before still hold it.",
            aliases: ["rm"]
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The name of a login.", completion: LiveNames.logins)
        var login: String
        @Flag(name: .shortAndLong, help: "Do not ask.")
        var yes = false

        func run() throws {
            if Terminal.inputIsTerminal, !yes {
                guard Question.isYes("Remove the login? Older backups of the vault still hold it.") else {
                    throw Failure(.failed, "nothing was removed")
                }
            }
            _ = try DaemonClient().call(
                CredentialsAPI.RemoveLoginCall(login: login),
                within: .seconds(30)
            )
            output.tell(["login": .string(login)])
            output.note("older backups of the vault still hold it\n")
            DefaultLogin.follow(login, output)
        }
    }
}
