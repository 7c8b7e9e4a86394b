// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI
import Platform

struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Stored logins: add, list, show, test, edit, rename, remove.",
        subcommands: [
            LoginAddCommand.self, List.self, LoginShowCommand.self, Test.self, LoginEditCommand.self,
            LoginRenameCommand.self, Remove.self,
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
                    login.endpointName ?? "\(login.endpoint), gone", login.password, login.boundTo,
                ]
            }
            if let gone = reply.logins.first(where: { $0.endpointName == nil }) {
                let hint: Hint = "relctl login edit \(gone.name) --endpoint ENDPOINT"
                output.note("the servers of some logins are no longer in the list: \(hint.command)\n")
            }
            if let missing = reply.missing {
                output.note("logins of the vault are missing: \(Printable(again: missing))\n")
            }
            output.list(
                ["NAME", "ORIGIN", "USER", "DOMAIN", "SCHEMA", "ENDPOINT", "PASSWORD", "BOUND TO"],
                rows,
                none: "no logins: relctl login add ENDPOINT --user USER\n"
            )
        }
    }

    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Log in and out once, and print each step.",
            discussion: "A login that the server refused is not sent again until it is tested or replaced."
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "Login name.", completion: LiveNames.logins)
        var login: String

        func run() throws {
            let reply = try output.client("logging in").call(
                CredentialsAPI.TestLoginCall(login: login),
                within: DaemonClient.slow
            )
            output.report(reply.json, else: Self.text(of: reply.steps, strength: reply.strength))
            NewLogin.warn(samplePassword: reply.samplePassword)
            guard let failure = reply.steps.first(where: { !$0.ok }) else { return }
            let code = reply.error.flatMap(DaemonError.Code.init(rawValue:)) ?? .failed
            throw Failure(
                ExitStatus(code),
                "the login does not work: \(failure.detail)",
                hint: Self.nextStep(after: code, of: login)
            )
        }

        private static func nextStep(after code: DaemonError.Code, of login: String) -> Hint? {
            switch code {
            case .loginRejected: "relctl login edit --password \(login)"
            case .passwordCommandFailed, .passwordCommandNotAgreed, .loginFileChanged, .vaultLocked:
                code.hint(["login": .string(login)])
            default: "relctl doctor --login=\(login)"
            }
        }

        private static func text(of steps: [CredentialsAPI.Step], strength: CredentialsAPI.PinStrength) -> String {
            let lines = steps.map { step in
                Columns([StateWord(step.ok ? "ok" : "failed"), step.step, Printable(again: step.detail)]).text
            }
            return Columns(["strength", strength.rawValue, "strength of the server's pin"]).text + lines.joined()
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a login, and end the sessions that use it.",
            discussion: "Older backups of the vault still contain it.",
            aliases: ["rm"]
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "Login name.", completion: LiveNames.logins)
        var login: String
        @OptionGroup var yes: YesOption

        func run() throws {
            let login = try StoredLogins.wholeName(login)
            try yes.confirmRemoval("Remove the login? Older backups of the vault still contain it.")
            _ = try DaemonClient().call(CredentialsAPI.RemoveLoginCall(login: login), within: .seconds(30))
            output.report(["login": .string(login)])
            output.note("older backups of the vault still contain it\n")
            DefaultLogin.follow(login, output)
        }
    }
}

extension LoginCommand {
    /// Prints a login that was saved, and warns if it has the well-known password of the vendor's samples.
    static func show(_ login: CredentialsAPI.Login, samplePassword: Bool, as verb: String, _ output: OutputOptions) {
        output.report(login.json, else: Columns([verb, login.name]).text)
        NewLogin.warn(samplePassword: samplePassword)
    }

    /// Returns the names of an endpoint's logins; nil if the vault is not open, because they are unknown then.
    static func names(of endpoint: String, _ client: DaemonClient) throws -> [String]? {
        guard try CredentialsAPI.Vault.fetch(client).state == .unlocked else { return nil }
        return try client.call(CredentialsAPI.ListLoginsCall()).logins
            .filter { $0.endpoint == endpoint }
            .map(\.name)
    }
}

struct LoginAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Store a login for a server, bound to the server's identity.",
        discussion: """
            Shows the server's identity and asks for confirmation. Without a terminal, --pin FINGERPRINT must give the \
            expected identity ('relctl show ENDPOINT' prints it), and plain HTTP also requires --allow-plaintext. With \
            --trust ca, the login is sent to any server that has a certificate for the host name from a certificate \
            authority that this machine trusts. The login is tested before it is saved. Domain and schema default to \
            those of the server's file. Without --user, the user is asked for at the terminal, as are domain and \
            schema if they have no default. With --password-command, the password is not stored: the program prints it \
            at each login. A prompt shows the program first, in a pinentry or a password agent.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "Name of the new login; by default USER@ENDPOINT, with /DOMAIN/SCHEMA if that name is taken.")
    var name: String?
    @Option(help: "User; by default asked for at the terminal.")
    var user: String?
    @Option(help: "Domain; Relativity servers require one.")
    var domain: String?
    @Option(help: "Schema.")
    var schema: String?
    @OptionGroup var extraKeys: ExtraKeyOptions
    @Flag(help: "Read the password as one line of standard input.")
    var passwordStdin = false
    @Flag(help: "Save the login without testing it.")
    var noTest = false
    @OptionGroup var source: PasswordCommandOption

    func validate() throws {
        guard source.command == nil || !passwordStdin else {
            throw ValidationError("--password-stdin and --password-command exclude each other")
        }
    }

    func run() throws {
        let input = try SecretInput()
        try offerVault()
        let (record, identity) = try agreement.confirmed(endpoint, output)
        var call = CredentialsAPI.AddLoginCall(
            endpoint: record.id,
            name: name,
            user: user ?? "",
            domain: domain ?? record.loginDomain,
            schema: schema ?? record.loginSchema,
            userKey: extraKeys.userKey,
            extras: extraKeys.extras,
            pin: identity.fingerprint,
            trust: identity.trust,
            allowPlaintext: identity.isPlain,
            passwordCommand: source.command,
            test: !noTest
        )
        if user == nil { try askAccount(&call) }
        let reply: CredentialsAPI.AddLoginReply
        if source.command != nil {
            reply = try source.calling(output) { try $0.call(call, within: DaemonClient.interactive) }
        } else {
            let password = try input.readPassword(fromStandardInput: passwordStdin, isNew: true)
            reply = try output.client("logging in").call(call, secrets: [password])
        }
        LoginCommand.show(reply.login, samplePassword: reply.samplePassword, as: "added", output)
    }

    /// Offers at a terminal to create a vault, which the first login needs.
    private func offerVault() throws {
        guard Terminal.inputIsTerminal, try CredentialsAPI.Vault.fetch(output.client()).state == .absent,
            Question.isYes("There is no vault yet. Create one?")
        else { return }
        let initialise = try VaultInitCommand.parse(output.isQuiet ? ["--quiet"] : [])
        try initialise.run()
    }

    /// Asks for the user, and for the values that neither an option nor the server's file gives.
    private func askAccount(_ call: inout CredentialsAPI.AddLoginCall) throws {
        try Question.requireTerminal("name the user with --user")
        call.user = Question.text("user")
        call.domain = call.domain ?? Question.optionalText("domain")
        call.schema = call.schema ?? Question.optionalText("schema")
    }
}

struct LoginEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a login, and end the sessions that use it.",
        discussion: """
            Values that are not given do not change. The login is tested before it is saved. An empty --domain or \
            --schema removes the value; --extra KEY= removes the key. With --endpoint, a login whose server is no \
            longer in the list is attached to another server, whose identity is confirmed as by 'relctl login add'. A \
            new password command is confirmed as by 'relctl login add' too.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var agreement: ServerAgreement
    @Argument(help: "Login name.", completion: LiveNames.logins)
    var login: String
    @Option(help: "Attach the login to this server: endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String?
    @Option(help: "User.")
    var user: String?
    @Option(help: "Domain.")
    var domain: String?
    @Option(help: "Schema.")
    var schema: String?
    @OptionGroup var extraKeys: ExtraKeyOptions
    @Flag(help: "Ask for a new password.")
    var password = false
    @Flag(help: "Read a new password as one line of standard input.")
    var passwordStdin = false
    @Flag(help: "Agree to the password command of a login that came with a copy of a vault.")
    var agreeCommand = false
    @Flag(help: "Save the login without testing it.")
    var noTest = false
    @OptionGroup var source: PasswordCommandOption

    func validate() throws {
        let ways = [password || passwordStdin, agreeCommand, source.command != nil]
        guard ways.count(where: { $0 }) <= 1 else {
            throw ValidationError(
                "--password, --password-stdin, --password-command and --agree-command exclude each other"
            )
        }
        let isPart = user != nil || domain != nil || schema != nil || !extraKeys.isEmpty || endpoint != nil
        guard isPart || ways.contains(true) else {
            throw ValidationError(
                """
                nothing to change: use --user, --domain, --schema, --user-key, --extra, --password, --password-stdin, \
                --password-command, --agree-command or --endpoint
                """
            )
        }
        if endpoint == nil, agreement.isGiven {
            throw ValidationError("--pin, --allow-plaintext and --trust require --endpoint")
        }
    }

    func run() throws {
        let input = try SecretInput()
        let target = try endpoint.map { try agreement.confirmed($0, output) }
        var secrets: [HeldSecret] = []
        if password || passwordStdin {
            try CredentialsAPI.Vault.requireUnlocked(output.client())
            secrets.append(try input.readPassword(fromStandardInput: passwordStdin, isNew: true))
        }
        let call = CredentialsAPI.EditLoginCall(
            login: login,
            endpoint: target?.endpoint.id,
            pin: target?.identity.fingerprint,
            trust: target?.identity.trust,
            allowPlaintext: target?.identity.isPlain,
            user: user,
            domain: domain,
            schema: schema,
            userKey: extraKeys.userKey,
            extras: extraKeys.extras,
            passwordCommand: try source.command ?? (agreeCommand ? storedCommand() : nil),
            test: !noTest
        )
        let reply: CredentialsAPI.EditLoginReply
        do {
            if call.passwordCommand != nil {
                reply = try source.calling(output) { try $0.call(call, within: DaemonClient.interactive) }
            } else {
                reply = try output.client("logging in").call(call, secrets: secrets)
            }
        } catch let error as DaemonError where error.code == .newLoginRejected {
            // Its own hint is for a login that was not added.
            throw Failure(ExitStatus(error.code), error.message, hint: "relctl login edit \(login) --password")
        }
        LoginCommand.show(reply.login, samplePassword: reply.samplePassword, as: "changed", output)
    }

    /// The command that the login has. The daemon shows it in a prompt.
    private func storedCommand() throws -> [String] {
        let record = try StoredLogins.record(login, output)
        guard let command = record.passwordCommand else {
            throw Failure(
                .usage,
                "the login '\(Printable(record.name))' has no password command",
                hint: "relctl login show \(record.name)"
            )
        }
        return command
    }
}

struct LoginRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a login.")

    @OptionGroup var output: OutputOptions
    @Argument(help: "Login name.", completion: LiveNames.logins)
    var login: String
    @Argument(help: "New name.")
    var newName: String

    func run() throws {
        let login = try StoredLogins.wholeName(login)
        let reply = try output.client("logging in").call(
            CredentialsAPI.EditLoginCall(login: login, name: newName),
            within: .seconds(30)
        )
        LoginCommand.show(reply.login, samplePassword: reply.samplePassword, as: "renamed", output)
        DefaultLogin.follow(login, to: newName, output)
    }
}

struct DefaultCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "default",
        abstract: "The default login: set, show, unset.",
        discussion: """
            A command uses the login that --login or LOGIN@ENDPOINT names, otherwise that of the variable \
            RELATIVITYD_LOGIN if it is one of the server, the default of 'relctl endpoint set --login', this default \
            if it is a login of the server, or the server's only login. A command that writes prints which login it \
            uses and what chose it.
            """,
        subcommands: [Set.self, Show.self, Unset.self]
    )

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "set", abstract: "Set the default login.")

        @OptionGroup var output: OutputOptions
        @Argument(help: "Login name.", completion: LiveNames.logins)
        var login: String

        func run() throws {
            let reply = try DaemonClient().call(CredentialsAPI.ListLoginsCall())
            let names = reply.logins.map(\.name)
            var login = login
            if !names.contains(login) {
                if reply.missing == nil {
                    login = try StoredLogins.one(of: reply.logins, for: login).name
                } else {
                    // Logins of a locked vault cannot be looked up, and the text may be the beginning of such a login's
                    // name.
                    output.note("relctl: whether there is such a login shows when the vault is unlocked\n")
                }
            }
            let environment = Environment.ofProcess()
            let endpoint = reply.logins.first { $0.name == login }?.endpoint
            try DefaultLogin.write(DefaultLogin(name: login, endpoint: endpoint), in: Directories(environment).state)
            let chosen = try ChosenLogin.standing(environment)
            if let chosen, chosen.chooser == .environment { chosen.printNote(output.quiet) }
            output.report(ChosenLogin.json(chosen))
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the default login and where it was chosen.",
            discussion: "Without a default, this is the only login, if there is one."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            // The default is shown without a daemon too.
            guard let chosen = try ChosenLogin.standing() ?? (try? ChosenLogin.only()) else {
                output.report([:])
                return output.note("no default login: relctl default set LOGIN\n")
            }
            output.show(
                ChosenLogin.json(chosen),
                else: Facts(["login": chosen.name, "chosen by": chosen.chooser.rawValue]).text
            )
        }
    }

    struct Unset: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "unset", abstract: "Unset the default login.")

        @OptionGroup var output: OutputOptions

        func run() throws {
            try DefaultLogin.write(nil, in: Directories(.ofProcess()).state)
            try output.report(ChosenLogin.json(ChosenLogin.standing()))
        }
    }
}
