// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import LocalAPI
import Varlink

extension AdapterCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run a program with an adapter of its own.",
            discussion: """
                The program finds the adapter's address in RELATIVITYD_URL: http+unix://SOCKET/bin, with the socket's \
                path percent-encoded, or http://127.0.0.1:PORT/PATH with --loopback. Signals are passed on to it, its \
                exit status is relctl's, and the adapter ends with it.
                """
        )

        /// Where a program finds its adapter.
        static let variable = "RELATIVITYD_URL"

        @Option(help: "The name of a login; without one the default.", completion: LiveNames.logins)
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
            let chosen = try ChosenLogin.choose(login)
            chosen.tell(quiet)
            prompts.announce()
            let call = BrokerAPI.OpenCall(
                login: chosen.name,
                form: loopback ? "loopback" : "socket",
                ownSession: ownSession,
                interactive: prompts.interactive
            )
            var status = ExitStatus.failed.rawValue
            // The adapter lives as long as the connection, which ends with this process, however that ends.
            try DaemonClient().stream(call, firstWithin: DaemonClient.ofPerson) { reply in
                do {
                    status = try RunningProgram(program, variable: Self.variable, value: reply.adapter.url).waitForEnd()
                } catch let error as ProgramNotStarted {
                    error.report()
                }
                return .stop
            }
            Glibc.exit(status)
        }
    }
}
