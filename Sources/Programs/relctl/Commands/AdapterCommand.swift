// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
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
            abstract: "Open an adapter: an address for logged-in calls to a server.",
            discussion: """
                A tool POSTs a BinMessage to /bin on the Unix socket, or to the URL of a loopback adapter. With \
                --hold, the adapter is open while this command runs. Otherwise it is open until it is closed, until it \
                has been unused for 15 minutes, or until --ttl has passed.
                """
        )

        @OptionGroup var output: OutputOptions
        @OptionGroup var target: AdapterTarget
        @Flag(help: "Use no login, for servers that require none.")
        var anonymous = false
        @Flag(help: "Use a separate session, which may poll for events.")
        var ownSession = false
        @Flag(help: .hidden)
        var session = false
        @Flag(help: .hidden)
        var yesExport = false
        @OptionGroup var prompts: InteractiveOption
        @Option(help: "With --interactive: the user of a new login.")
        var user: String?
        @Option(help: "With --interactive: the domain of a new login.")
        var domain: String?
        @Option(help: "With --interactive: the schema of a new login.")
        var schema: String?
        @Flag(help: "Close the adapter when this command ends.")
        var hold = false
        @Option(help: "Maximum lifetime without --hold, such as 90s, 30m or 8h; 1 minute to 12 hours.")
        var ttl: TimeSpan?

        func validate() throws {
            try AdapterCommand.check(ttl)
            if hold, ttl != nil { throw ValidationError("--hold and --ttl cannot be used together") }
            if !prompts.interactive, user != nil || domain != nil || schema != nil {
                throw ValidationError("--user, --domain and --schema require --interactive")
            }
            if session || yesExport { throw SessionExport.removed }
            if anonymous, target.endpoint == nil { throw ValidationError("--anonymous requires an endpoint") }
            if anonymous, target.login != nil {
                throw ValidationError("--anonymous and --login cannot be used together")
            }
        }

        func run() throws {
            prompts.announce()
            var call = target.opening
            (call.anonymous, call.ownSession, call.ttlSeconds) = (anonymous, ownSession, ttl?.seconds)
            (call.interactive, call.user, call.domain, call.schema) = (prompts.interactive, user, domain, schema)
            let client = try output.client("logging in")
            guard hold else { return show(try client.call(call, within: DaemonClient.interactive).adapter) }
            try client.stream(call, firstWithin: DaemonClient.interactive) { reply in
                show(reply.adapter)
                return .next
            }
        }

        private func show(_ adapter: BrokerAPI.Adapter) {
            target.noteLogin(of: adapter, output.quiet)
            output.show(adapter.json, else: adapter.facts.text)
        }
    }

    /// Exported sessions, whose options versions up to 0.2.0 had.
    enum SessionExport {
        static let removed = ValidationError(
            "sessions are no longer exported: use a loopback adapter, 'relctl adapter open --loopback'"
        )
    }

    /// - Throws: `ValidationError` for a length of time that no adapter may live.
    static func check(_ ttl: TimeSpan?) throws {
        if let ttl, !(60...43_200).contains(ttl.seconds) { throw ValidationError("--ttl must be 1m to 12h") }
    }

    /// The output for an adapter that was opened.

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the open adapters.",
            aliases: ["ls"]
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let now = Int64(time(nil))
            let heading = ["ID", "ENDPOINT", "LOGIN", "PID", "ENDS", "ADDRESS"]
            let none = "no adapters: relctl adapter open ENDPOINT\n"
            try output.list(BrokerAPI.ListCall(), "adapters", heading, none: none) { reply in
                reply.adapters.map { adapter in
                    [
                        adapter.id, adapter.endpointName ?? "-", adapter.login ?? "-",
                        adapter.pid.map { "\($0)" } ?? "-", Self.end(of: adapter, now),
                        adapter.socketPath ?? adapter.url,
                    ]
                }
            }
        }

        private static func end(of adapter: BrokerAPI.Adapter, _ now: Int64) -> String {
            if adapter.configured { return "when the daemon stops" }
            return adapter.expires.map { "in \(PlainSpan(seconds: $0 - now)) at most" } ?? "when its client disconnects"
        }
    }

    struct Close: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "close", abstract: "Close an adapter.")

        @OptionGroup var output: OutputOptions
        @Argument(help: "Adapter ID.", completion: LiveNames.adapters)
        var adapter: String

        func run() throws {
            _ = try output.client().call(BrokerAPI.CloseCall(adapter: adapter), within: .seconds(10))
            output.report(["adapter": .string(adapter)])
        }
    }
}

/// The server and the login of an adapter or a grant.
struct LoginTarget: ParsableArguments {
    @Argument(
        help: "Endpoint ID or unique name, or LOGIN@ENDPOINT; by default that of the login.",
        completion: LiveNames.endpoints
    )
    var endpoint: String?
    @OptionGroup var login: LoginOption
}

/// The server and the login of an adapter, and its form.
struct AdapterTarget: ParsableArguments {
    @OptionGroup var named: LoginTarget
    @Flag(help: "Use a port of 127.0.0.1 instead of a Unix socket, for programs without support for it.")
    var loopback = false

    var endpoint: String? { named.endpoint }
    var login: String? { named.login.name }

    /// The call that opens the adapter.
    var opening: BrokerAPI.OpenCall {
        BrokerAPI.OpenCall(
            endpoint: endpoint,
            login: login,
            preferredLogin: ChosenLogin.preferred,
            form: loopback ? "loopback" : "socket"
        )
    }

    /// Prints what chose the login, unless the user named it, or the server that has only this one.
    func noteLogin(of adapter: BrokerAPI.Adapter, _ quiet: QuietOption) {
        guard let chosen = ChosenLogin(of: adapter), endpoint == nil || chosen.chooser != .onlyOne else { return }
        chosen.printNote(quiet)
    }
}

extension AdapterCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Run a program with an adapter of its own.",
            discussion: """
                The program finds the adapter's address in RELATIVITYD_URL: http+unix://SOCKET/bin, with the socket's \
                path percent-encoded, or http://127.0.0.1:PORT/PATH with --loopback. RELATIVITYD_ADAPTER_SOCKET has \
                the path of the socket; RELATIVITYD_DOMAIN, _SCHEMA, _DATA_SERVICE and _LOGIN_SERVICE have the names \
                of these. Signals are forwarded to the program, and relctl exits with its exit status. The adapter is \
                closed when it exits.
                """
        )

        @OptionGroup var target: AdapterTarget
        @Flag(help: "Use a separate session, which may poll for events.")
        var ownSession = false
        @OptionGroup var prompts: InteractiveOption
        @OptionGroup var quiet: QuietOption
        @Argument(parsing: .postTerminator, help: "The program and its arguments, after '--'.")
        var program: [String] = []

        func validate() throws {
            if program.isEmpty { throw ValidationError("missing program after '--'") }
        }

        func run() throws {
            prompts.announce()
            var call = target.opening
            (call.ownSession, call.interactive) = (ownSession, prompts.interactive)
            try AdapterProgram.run(program, call) { target.noteLogin(of: $0, quiet) }
        }
    }
}

extension AdapterCommand {
    struct Env: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "env",
            abstract: "Open an adapter, and print its environment variables for a shell.",
            discussion: """
                Use it as 'eval "$(relctl adapter env SERVER)"' in sh, bash, zsh and similar shells. The variables are \
                those of 'adapter run'. The adapter is open until it is closed, until it has been unused for 15 \
                minutes, or until --ttl has passed.
                """
        )

        @OptionGroup var target: AdapterTarget
        @Option(help: "Maximum lifetime, such as 90s, 30m or 8h; 1 minute to 12 hours.")
        var ttl: TimeSpan?
        @OptionGroup var quiet: QuietOption

        func validate() throws { try AdapterCommand.check(ttl) }

        func run() throws {
            var call = target.opening
            call.ttlSeconds = ttl?.seconds
            let adapter = try DaemonClient().call(call, within: DaemonClient.interactive).adapter
            target.noteLogin(of: adapter, quiet)
            let text = AdapterVariables(of: adapter).shellText
            Terminal.write(Terminal.outputIsTerminal ? PrintableText(text).text : text)
        }
    }
}

extension AdapterCommand {
    struct Watch: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Print adapters as they open and close, with the reason, until interrupted."
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
            if let adapter = reply.adapter { show(reply.kind.rawValue, adapter, because: reply.reason?.text) }
        }

        private func show(_ word: String, _ adapter: BrokerAPI.Adapter, because reason: Printable? = nil) {
            let cells: [any Fact] = [
                Moment.now.clock, word, adapter.id, adapter.endpointName ?? "-", adapter.login ?? "-",
            ]
            Terminal.write(Columns(cells + (reason.map { [$0] } ?? [])).text)
        }
    }
}
