// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

struct LoginEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a login, and end the sessions that use it.",
        discussion: """
            What is not given stays as it is. The login is tried before it is saved. An empty --domain or --schema \
            takes it away, and so does --extra KEY= with that key.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The name of a login.", completion: LiveNames.logins)
    var login: String
    @Option(help: "The user.")
    var user: String?
    @Option(help: "The domain.")
    var domain: String?
    @Option(help: "The schema.")
    var schema: String?
    @OptionGroup var extraKeys: ExtraKeyOptions
    @Flag(help: "Ask for a new password.")
    var password = false
    @Flag(help: "Read a new password as one line of standard input.")
    var passwordStdin = false
    @Flag(help: "Save the login without trying it.")
    var noTest = false

    func validate() throws {
        guard user != nil || domain != nil || schema != nil || !extraKeys.isEmpty || password || passwordStdin else {
            throw ValidationError(
                """
                say what to change: --user, --domain, --schema, --user-key, --extra, --password or --password-stdin
                """
            )
        }
    }

    func run() throws {
        let input = try SecretInput()
        var secrets: [HeldSecret] = []
        if password || passwordStdin {
            try LoginCommand.checkVault(try output.client())
            let secret = try input.read(
                "password",
                fromStandardInput: passwordStdin,
                isNew: true,
                maximumBytes: SecretLineReader.maximumPasswordBytes,
                option: "--password-stdin"
            )
            secrets.append(HeldSecret(secret))
        }
        let reply = try output.client("logging in").call(
            CredentialsAPI.EditLoginCall(
                login: login,
                user: user,
                domain: domain,
                schema: schema,
                userKey: extraKeys.userKey,
                extras: extraKeys.extras,
                test: !noTest
            ),
            secrets: secrets
        )
        LoginCommand.show(reply.login, samplePassword: reply.samplePassword, as: "changed", output)
    }
}

struct LoginRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a login another name.")

    @OptionGroup var output: OutputOptions
    @Argument(help: "The name of a login.", completion: LiveNames.logins)
    var login: String
    @Argument(help: "Its new name.")
    var newName: String

    func run() throws {
        let reply = try output.client("logging in").call(
            CredentialsAPI.EditLoginCall(login: login, name: newName),
            within: .seconds(30)
        )
        LoginCommand.show(reply.login, samplePassword: reply.samplePassword, as: "renamed", output)
        DefaultLogin.follow(login, to: newName, output)
    }
}
