// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

struct AdapterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapter",
        abstract: "Logged-in connections for tools: open, run, env, list, watch, close.",
        subcommands: [Open.self, Run.self, Env.self, List.self, Watch.self, Close.self]
    )

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "open",
            abstract: "Log in, and make an address that reaches the server inside the session.",
            discussion: """
                A tool POSTs a BinMessage to /bin on the Unix socket, or to the URL of a loopback adapter. With --hold the adapter lives as long as this command; \
                otherwise until it is closed, unused for 15 minutes, or --ttl is over.
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(
            help: "The id of an endpoint, or a name that only one has; without one, that of the login.",
            completion: LiveNames.endpoints
        )
        var endpoint: String?
        @Option(
            help: "The name of a login; without one the endpoint's only one, or without both the default.",
            completion: LiveNames.logins
        )
        var login: String?
        @Flag(help: "Use no login, for servers that ask for none.")
        var anonymous = false
        @Flag(help: "Take a port of 127.0.0.1 instead of a Unix socket, for programs that know nothing of relativityd.")
        var loopback = false
        @Flag(help: "Log in anew for this adapter alone: it may poll for events then.")
        var ownSession = false
        @Flag(
            help: "Make a session for your own connection to the server, and show its ClientID; off for most servers."
        )
        var session = false
        @Flag(help: "With --session: do not ask.")
        var yesExport = false
        @OptionGroup var prompts: InteractiveOption
        @Option(help: "With --interactive: the user of a login that is made.")
        var user: String?
        @Option(help: "With --interactive: the domain of a login that is made.")
        var domain: String?
        @Option(help: "With --interactive: the schema of a login that is made.")
        var schema: String?
        @Flag(help: "Keep the adapter until this command ends.")
        var hold = false
        @Option(help: "How long an adapter without --hold lives at most: 90s, 30m, 8h; a minute to 12 hours.")
        var ttl: TimeSpan?

        func validate() throws {
            if let ttl, !(60...43_200).contains(ttl.seconds) { throw ValidationError("--ttl is a minute to 12 hours") }
            if hold, ttl != nil { throw ValidationError("--hold and --ttl exclude each other") }
            if !prompts.interactive, user != nil || domain != nil || schema != nil {
                throw ValidationError("--user, --domain and --schema go with --interactive")
            }
            if session, loopback || ownSession || anonymous || hold || output.isJSON || prompts.interactive {
                throw ValidationError("--session goes with --login, --ttl and --yes-export only")
            }
            if yesExport, !session { throw ValidationError("--yes-export goes with --session") }
            if anonymous, endpoint == nil { throw ValidationError("--anonymous needs an endpoint") }
            if anonymous, login != nil { throw ValidationError("--anonymous and --login exclude each other") }
        }

        func run() throws {
            if session { return try openSession() }
            let login = try loginName()
            prompts.announce()
            let call = BrokerAPI.OpenCall(
                endpoint: endpoint,
                login: login,
                anonymous: anonymous,
                form: loopback ? "loopback" : nil,
                ownSession: ownSession,
                ttlSeconds: ttl?.seconds,
                interactive: prompts.interactive,
                user: user,
                domain: domain,
                schema: schema
            )
            let client = try output.client("logging in")
            guard hold else { return show(try client.call(call, within: DaemonClient.ofPerson).adapter) }
            try client.stream(call, firstWithin: DaemonClient.ofPerson) { reply in
                show(reply.adapter)
                return .next
            }
        }

        /// The login of `--login`. If neither it nor an endpoint is given: the default login, or the only one.
        func loginName() throws -> String? { try ChosenLogin.name(login, at: endpoint, output.quiet) }

        private func show(_ adapter: BrokerAPI.Adapter) {
            output.show(adapter.json, else: AdapterCommand.facts(adapter).text)
        }
    }

    /// The text printed for an adapter that was opened.
    static func facts(_ adapter: BrokerAPI.Adapter) -> Facts {
        Facts([
            "adapter": adapter.id,
            "socket": adapter.socketPath,
            "url": adapter.url,
            "endpoint": adapter.endpointName,
            "login": adapter.login ?? "none",
            "domain": adapter.domain,
            "schema": adapter.schema,
            "data service": adapter.dataService,
            "login service": adapter.loginService,
        ])
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the open adapters.",
            aliases: ["ls"]
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let object = try output.client().json(BrokerAPI.ListCall())
            if output.isJSON { return JSONOption.write(try object.only("adapters")) }
            let reply = try BrokerAPI.ListReply(json: object)
            let now = Int64(time(nil))
            let rows = reply.adapters.map { adapter in
                [
                    adapter.id, adapter.endpointName ?? "-", adapter.login ?? "-", adapter.pid.map { "\($0)" } ?? "-",
                    Self.end(of: adapter, now), adapter.socketPath ?? adapter.url,
                ]
            }
            guard !rows.isEmpty else {
                output.note("no adapters: relctl adapter open ENDPOINT\n")
                return
            }
            Terminal.write(Table(["ID", "ENDPOINT", "LOGIN", "PID", "ENDS", "ADDRESS"], rows).text)
        }

        private static func end(of adapter: BrokerAPI.Adapter, _ now: Int64) -> String {
            if adapter.configured { return "with the daemon" }
            return adapter.expires.map { "in \(PlainSpan(seconds: $0 - now)) at most" } ?? "with its caller"
        }
    }

    struct Close: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "close", abstract: "Close an adapter.")

        @OptionGroup var output: OutputOptions
        @Argument(help: "The id of an adapter.", completion: LiveNames.adapters)
        var adapter: String

        func run() throws {
            _ = try output.client().call(
                BrokerAPI.CloseCall(adapter: adapter),
                within: .seconds(10)
            )
            output.tell(["adapter": .string(adapter)])
        }
    }
}

extension AdapterCommand.Open {
    /// Opens a session and prints its ClientID. Asks every time, because a ClientID that was read cannot be revoked.
    func openSession() throws {
        guard yesExport || Question.isYes("Hand out a session, which works like a password while it lasts?") else {
            throw Failure(.usage, "nothing was handed out: a script says --yes-export")
        }
        let call = BrokerAPI.OpenSessionCall(endpoint: endpoint, login: try loginName(), ttlSeconds: ttl?.seconds)
        let clientID = try Secret(randomBytes: 16, in: try SecretArena())
        let reply = try clientID.withBytes { bytes in
            try output.client("logging in").call(
                call,
                secrets: [bytes],
                within: DaemonClient.ofPerson
            )
        }
        let adapter = reply.adapter
        Terminal.write(
            Facts([
                "adapter": adapter.id,
                "url": adapter.url,
                "login": adapter.login,
                "data service": adapter.dataService,
                "login service": adapter.loginService,
            ]).text
        )
        clientID.withBytes { Self.write(clientID: $0) }
    }

    /// Prints the ClientID as hexadecimal digits in wire order, and wipes the buffer afterwards.
    private static func write(clientID: UnsafeRawBufferPointer) {
        let digits = Array("0123456789abcdef".utf8)
        var line = Array("client id:     ".utf8)
        line.reserveCapacity(line.count + 2 * clientID.count + 1)
        for byte in clientID { line += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        line.append(UInt8(ascii: "\n"))
        Terminal.write(line)
        line.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress { explicit_bzero(base, bytes.count) }
        }
    }
}

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

extension AdapterCommand {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell which adapters come and go, and why, until interrupted."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            try DaemonClient().streamJSON(BrokerAPI.WatchCall(), output: STDOUT_FILENO) { reply in
                if output.isJSON { JSONOption.write(reply) } else { show(try BrokerAPI.WatchReply(json: reply)) }
                return .next
            }
        }

        private func show(_ reply: BrokerAPI.WatchReply) {
            for adapter in reply.adapters ?? [] { show("open", adapter) }
            if let adapter = reply.adapter { show(reply.kind, adapter, because: reply.message) }
        }

        private func show(_ word: String, _ adapter: BrokerAPI.Adapter, because message: String? = nil) {
            let cells = [Moment.now.clock, word, adapter.id, adapter.endpointName ?? "-", adapter.login ?? "-"]
            Terminal.write(Columns(cells + (message.map { [$0] } ?? [])).text)
        }
    }
}
