// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint",
        abstract:
            "Servers: list, show, watch, wait, add, rename, remove, set, hide, unhide, probe, import, export, pin, repin, forget.",
        subcommands: [
            ListCommand.self, ShowCommand.self, WatchCommand.self, EndpointWaitCommand.self, AddCommand.self,
            EndpointRenameCommand.self, Remove.self, Set.self,
            EndpointHideCommand.self, EndpointUnhideCommand.self, EndpointProbeCommand.self, EndpointImportCommand.self,
            EndpointExportCommand.self,
            EndpointPinCommand.self, EndpointRepinCommand.self, EndpointForgetCommand.self,
        ],
        aliases: ["server"]
    )

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget a server that was added or used, and what was set for it.",
            discussion: """
                While it announces itself it stays in the list, as discovered. Its logins stay in the vault, for the day \
                when it is used again. With a locked vault nobody can tell which these are: then --yes is needed.
                """,
            aliases: ["rm"]
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
        var endpoint: String
        @Flag(name: .shortAndLong, help: "Do not ask, although logins may be bound to it.")
        var yes = false

        func run() throws {
            let client = try DaemonClient()
            let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
            let (logins, isKnown) = try logins(of: record, client)
            let stay = "its logins stay in the vault: \(logins.map { "\(Printable($0))" }.joined(separator: ", "))\n"
            let asks = !logins.isEmpty && Terminal.inputIsTerminal && !yes
            if asks {
                output.note(stay)
                guard Question.isYes("Remove the server?") else { throw Failure(.failed, "nothing was removed") }
            }
            try remove(record)
            // What stays is told once the rest has gone.
            if !logins.isEmpty, !asks { output.note(stay) }
            if !isKnown { output.note("logins of this server that the locked vault may have stay in it\n") }
            output.tell(["endpoint": .string(record.id), "logins": .array(logins.map { .string($0) })])
            guard !logins.isEmpty else { return }
            let hint: Hint = "relctl endpoint forget --logins \(record.id)"
            output.note("relctl: hint: \(hint.command)\n")
        }

        /// - Returns: names, and whether they are all.
        /// - Throws: `Failure` if the vault is locked, unless that is accepted.
        private func logins(of record: RegistryAPI.Endpoint, _ client: DaemonClient) throws -> ([String], isKnown: Bool)
        {
            if let names = try LoginCommand.names(of: record.id, client) { return (names, true) }
            guard try VaultCommand.status(client).state != .absent else { return ([], true) }
            guard yes else {
                throw Failure(
                    .vaultLocked,
                    "the vault is locked, and may have logins of this server, which would stay: --yes removes it all the same",
                    hint: "relctl vault unlock"
                )
            }
            return ([], false)
        }

        private func remove(_ record: RegistryAPI.Endpoint) throws {
            _ = try DaemonClient().call(RegistryAPI.RemoveCall(endpoint: record.id), within: .seconds(10))
        }
    }

    enum Switch: String, ExpressibleByArgument {
        case on, off
    }

    enum Clients: String, ExpressibleByArgument {
        case any
        case grantsOnly = "grants-only"
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set what differs from Relativity's usual ways.",
            discussion:
                "For example for a custom Data Abstract server: --data-service NAME, then 'adapter open --anonymous'."
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
        var endpoint: String
        @Option(help: "http or https.")
        var scheme: String?
        @Option(help: "The dispatcher's path, usually /bin.")
        var path: String?
        @Option(help: "The name of the data service, usually DataService.")
        var dataService: String?
        @Option(help: "The name of the login service, usually LoginService.")
        var loginService: String?
        @Option(help: "on or off: whether the daemon looks by itself if the server is alive.")
        var probe: Switch?
        @Option(help: "on or off: whether calls that may change something are refused.")
        var readOnly: Switch?
        @Option(help: "any, or grants-only: whether adapters lead to it, or grants alone.")
        var clients: Clients?
        @Option(help: "on or off: whether sessions may be handed out, by 'adapter open --session'.")
        var sessionExport: Switch?
        @Option(help: "on or off: whether a prompt asks you before each adapter, grant or session.")
        var confirm: Switch?
        @Option(help: "on or off: whether logins go to a server of this machine whose user the kernel does not tell.")
        var acceptUnknownOwner: Switch?

        func run() throws {
            let call = RegistryAPI.SetCall(
                endpoint: endpoint,
                scheme: try scheme.map(Self.scheme),
                path: path,
                dataService: dataService,
                loginService: loginService,
                probe: probe.map { $0 == .on ? .on : .off },
                readOnly: readOnly.map { $0 == .on },
                grantsOnly: clients.map { $0 == .grantsOnly },
                sessionExport: sessionExport.map { $0 == .on },
                confirm: confirm.map { $0 == .on },
                acceptUnknownOwner: acceptUnknownOwner.map { $0 == .on }
            )
            let record = try DaemonClient().call(call, within: .seconds(10)).endpoint
            let cells = [
                record.name, record.url, record.dataService, record.loginService, "probe \(record.probe.rawValue)",
            ]
            output.tell(record.json, else: Columns(cells + record.restrictions).text)
        }

        private static func scheme(_ text: String) throws -> RegistryAPI.Scheme {
            guard let scheme = RegistryAPI.Scheme(rawValue: text) else {
                throw Failure(.usage, "\(ServerURLError.badScheme(text))")
            }
            return scheme
        }
    }
}

extension RegistryAPI.Endpoint {
    /// What was set for and against some uses of it, in words.
    var restrictions: [String] {
        [
            readOnly ? "read-only" : nil, grantsOnly ? "grants-only" : nil, sessionExport ? "session-export" : nil,
            confirm ? "confirm" : nil, acceptUnknownOwner ? "accept-unknown-owner" : nil,
        ].compactMap { $0 }
    }
}
