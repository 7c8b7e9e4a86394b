// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

extension AdapterCommand {
    struct Env: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "env",
            abstract: "Open an adapter, and print its environment variables for a shell.",
            discussion: """
                For 'eval "$(relctl adapter env SERVER)"' in sh, bash, zsh and their like. The variables are those of \
                'adapter run'. The adapter ends when it is closed, when it is unused for 15 minutes, or after --ttl.
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
        @Option(help: "How long the adapter lives at most: 90s, 30m, 8h; a minute to 12 hours.")
        var ttl: TimeSpan?
        @OptionGroup var quiet: QuietOption

        func validate() throws {
            if let ttl, !(60...43_200).contains(ttl.seconds) { throw ValidationError("--ttl is a minute to 12 hours") }
        }

        func run() throws {
            let call = BrokerAPI.OpenCall(
                endpoint: endpoint,
                login: try ChosenLogin.name(login, at: endpoint, quiet),
                form: loopback ? "loopback" : "socket",
                ttlSeconds: ttl?.seconds
            )
            let adapter = try DaemonClient().call(call, within: DaemonClient.ofPerson).adapter
            let text = AdapterVariables(of: adapter).shellText
            Terminal.write(Terminal.outputIsTerminal ? PrintableText(text).text : text)
        }
    }
}
