// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

extension AdapterCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run a program with an adapter of its own.",
            discussion: """
                The program finds the adapter's address in RELATIVITYD_URL: http+unix://SOCKET/bin, with the socket's \
                path percent-encoded, or http://127.0.0.1:PORT/PATH with --loopback. RELATIVITYD_ADAPTER_SOCKET has the \
                socket's path; RELATIVITYD_DOMAIN, _SCHEMA, _DATA_SERVICE and _LOGIN_SERVICE have what their names say. \
                Signals are passed on to it, its exit status is relctl's, and the adapter ends with it.
                """
        )

        @Argument(
            help: "The id or name of a server; without one, that of the login.",
            completion: LiveNames.endpoints
        )
        var endpoint: String?
        @Option(
            help: "The name of a login; without one the server's only one, or without both the default.",
            completion: LiveNames.logins
        )
        var login: String?
        @Flag(help: "Take a port of 127.0.0.1 instead of a Unix socket, for programs that know nothing of relativityd.")
        var loopback = false
        @Flag(help: "Log in anew for this adapter alone: it may poll for events then.")
        var ownSession = false
        @OptionGroup var prompts: InteractiveOption
        @OptionGroup var quiet: QuietOption
        @Argument(parsing: .postTerminator, help: "The program and its arguments, behind '--'.")
        var program: [String] = []

        func validate() throws {
            if program.isEmpty { throw ValidationError("name a program behind '--'") }
        }

        func run() throws {
            let login = try ChosenLogin.name(login, at: endpoint, quiet)
            prompts.announce()
            let call = BrokerAPI.OpenCall(
                endpoint: endpoint,
                login: login,
                form: loopback ? "loopback" : "socket",
                ownSession: ownSession,
                interactive: prompts.interactive
            )
            try AdapterProgram.run(program, call)
        }
    }
}
