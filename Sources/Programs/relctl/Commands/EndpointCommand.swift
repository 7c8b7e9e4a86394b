// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

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
            abstract: "Remove a server that was added or used, with its settings.",
            discussion: """
                A server that still announces itself stays in the list as discovered. Its logins stay in the vault, \
                and 'relctl login edit LOGIN --endpoint ENDPOINT' attaches them to another server. If it has logins, \
                or the vault is locked so that they are unknown, --yes or an answer at the terminal is required.
                """,
            aliases: ["rm"]
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
        var endpoint: String
        @Flag(name: .shortAndLong, help: "Do not ask, even if logins are bound to it.")
        var yes = false

        func run() throws {
            let client = try DaemonClient()
            let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
            let (logins, isKnown) = try logins(of: record, client)
            let stay = "its logins stay in the vault: \(logins.map { "\(Printable($0))" }.joined(separator: ", "))\n"
            let asks = !logins.isEmpty && !yes
            if asks {
                guard Terminal.inputIsTerminal else {
                    let names = logins.map { "\(Printable($0))" }.joined(separator: ", ")
                    throw Failure(
                        .usage,
                        "the server has logins: use --yes to remove it and keep them in the vault: \(names)",
                        hint: "relctl endpoint remove --yes \(endpoint)"
                    )
                }
                output.note(stay)
                guard Question.isYes("Remove the server?") else { throw Failure(.failed, "nothing was removed") }
            }
            try remove(record)
            // Printed after the removal, when it is certain that the logins remain.
            if !logins.isEmpty, !asks { output.note(stay) }
            if !isKnown { output.note("logins of this server in the locked vault, if any, stay there\n") }
            output.report(["endpoint": .string(record.id), "logins": .array(logins.map { .string($0) })])
            guard !logins.isEmpty else { return }
            let hint: Hint = "relctl endpoint forget --logins \(record.id)"
            output.note(hint.line)
        }

        /// - Returns: the names, and whether the list is complete.
        /// - Throws: `Failure` if the vault is locked and `--yes` is not given.
        private func logins(of record: RegistryAPI.Endpoint, _ client: DaemonClient) throws -> ([String], isKnown: Bool)
        {
            if let names = try LoginCommand.names(of: record.id, client) { return (names, true) }
            guard try CredentialsAPI.Vault.fetch(client).state != .absent else { return ([], true) }
            guard yes else {
                throw Failure(
                    .vaultLocked,
                    "the vault is locked and may contain logins of this server: use --yes to remove the server anyway",
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
            abstract: "Change the settings of a server.",
            discussion: """
                For example for a custom Data Abstract server: --data-service NAME, then 'adapter open --anonymous'. \
                --alternate adds another address of the same server, which is used while there is no connection to the \
                ones before. Its identity is confirmed as by 'relctl endpoint pin'.
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
        var endpoint: String
        @Option(help: "http or https.")
        var scheme: String?
        @Option(help: "The dispatcher's path, usually /bin.")
        var path: String?
        @Option(help: "The name of the data service, usually DataService.")
        var dataService: String?
        @Option(help: "The name of the login service, usually LoginService.")
        var loginService: String?
        @Option(help: "on or off: whether the daemon probes the server on its own.")
        var probe: Switch?
        @Option(help: "on or off: whether calls that may change data are refused.")
        var readOnly: Switch?
        @Option(help: "any or grants-only: whether adapters are permitted, or only grants.")
        var clients: Clients?
        @Option(help: .hidden)
        var sessionExport: String?
        @Option(help: "on or off: whether each adapter or grant must be approved in a prompt.")
        var confirm: Switch?
        @Option(help: "on or off: whether logins are sent to a server on this machine whose user is unknown.")
        var acceptUnknownOwner: Switch?
        @Option(help: "The code page of its text that is not Unicode, such as windows-1252; '' for an unknown one.")
        var codePage: String?
        @Option(
            help: "The login that is used if no other is named; '' for none.",
            completion: LiveNames.logins
        )
        var login: String?

        @OptionGroup var alternates: AlternateOptions

        func validate() throws {
            if sessionExport != nil { throw AdapterCommand.SessionExport.removed }
        }

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
                confirm: confirm.map { $0 == .on },
                acceptUnknownOwner: acceptUnknownOwner.map { $0 == .on },
                codePage: codePage,
                defaultLogin: login
            )
            guard alternates.isEmpty else {
                guard call == RegistryAPI.SetCall(endpoint: endpoint) else {
                    throw Failure(.usage, "addresses and other settings are changed by separate commands")
                }
                return try alternates.apply(to: endpoint, output)
            }
            let record = try DaemonClient().call(call, within: .seconds(10)).endpoint
            let cells = [
                record.name, record.url, record.dataService, record.loginService, "probe \(record.probe.rawValue)",
            ]
            let choices = [record.codePage.map { "code page \($0)" }, record.defaultLogin.map { "login \($0)" }]
            output.report(record.json, else: Columns(cells + choices.compactMap(\.self) + record.restrictions).text)
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
    /// The settings that permit or restrict some uses of the endpoint, as keywords.
    var restrictions: [String] {
        [
            readOnly ? "read-only" : nil, grantsOnly ? "grants-only" : nil, confirm ? "confirm" : nil,
            acceptUnknownOwner ? "accept-unknown-owner" : nil,
        ].compactMap { $0 }
    }
}

struct EndpointRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a server that was added."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String
    @Argument(help: "New name.")
    var newName: String

    func run() throws {
        let call = RegistryAPI.SetCall(endpoint: endpoint, name: newName)
        let renamed = try DaemonClient().call(call, within: .seconds(10)).endpoint
        output.report(renamed.json, else: Columns(["renamed", renamed.name, renamed.url, renamed.id]).text)
    }
}

struct EndpointHideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hide",
        abstract: "Hide a server from list and watch.",
        discussion: "The server can be used as before, also by name. 'list --all' shows it."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws { try RegistryAPI.Endpoint.setHidden(endpoint, true, output) }
}

struct EndpointUnhideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhide",
        abstract: "Show a hidden server again."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws { try RegistryAPI.Endpoint.setHidden(endpoint, false, output) }
}

extension RegistryAPI.Endpoint {
    fileprivate static func setHidden(_ endpoint: String, _ isHidden: Bool, _ output: OutputOptions) throws {
        let call = RegistryAPI.SetCall(endpoint: endpoint, hidden: isHidden)
        let endpoint = try DaemonClient().call(call, within: .seconds(10)).endpoint
        output.report(endpoint.json)
    }
}

struct EndpointProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Probe a server now.",
        discussion:
            "Connects to the server; for https, completes the TLS handshake. Sends no login; over plain HTTP, nothing."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws {
        let reply = try output.client("connecting to the server").call(
            RegistryAPI.ProbeCall(endpoint: endpoint),
            within: .seconds(10)
        )
        let probe = reply.probe
        if output.isJSON { JSONOption.write(probe.json) }
        switch probe.outcome {
        case .reachable:
            if !output.isJSON { output.report(probe.json, else: "reachable, \(probe.milliseconds) ms\n") }
        case .unreachable:
            throw Failure(
                .unreachable,
                "the server cannot be reached: \(probe.why) (\(probe.milliseconds) ms)",
                hint: "relctl doctor \(endpoint)"
            )
        case .conflict: throw Self.conflict(endpoint, probe)
        }
    }

    static func conflict(_ endpoint: String, _ probe: RegistryAPI.Probe) -> Failure {
        Failure(
            .identityConflict,
            "this is not the server that the endpoint is pinned to: \(probe.why)",
            hint: "relctl endpoint repin \(endpoint)"
        )
    }
}

struct EndpointImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the server of a .relativityClient or .remoteRODL file.",
        discussion: """
            The file's domain and schema become the defaults of new logins to the server. Passwords are not imported: \
            add a login afterwards. If the file has no address, the server must be announced at this time.
            """
    )

    private static let maximumBytes = 256 << 10

    @OptionGroup var output: OutputOptions
    @Argument(help: "The file, or - for standard input.")
    var file: String
    @Option(help: "Name of the server; by default the one in the file.")
    var name: String?

    func run() throws {
        let call = RegistryAPI.ImportCall(name: name, content: try text())
        let reply = try output.client().call(call, within: .seconds(10))
        let record = reply.endpoint
        output.report(reply.json, else: Columns(["imported", record.name, record.url, record.id]).text)
        for user in [reply.dataUser, reply.adminUser].compactMap({ $0 }) {
            let hint: Hint = "relctl login add \(record.id) --user=\(user)"
            output.note(hint.line)
        }
    }

    /// The file's text, in the encoding that it declares.
    private func text() throws -> String {
        let bytes = try UserPath.read(file, maximumBytes: Self.maximumBytes)
        let text: String
        do {
            text = try DocumentText.decode(bytes)
        } catch {
            throw Failure(.usage, "\(Printable(file)): \(Printable(again: "\(error)"))")
        }
        guard !text.unicodeScalars.contains("\u{FFFD}") else {
            throw Failure(.usage, "\(Printable(file)) has bytes that are no characters of its encoding")
        }
        return text
    }
}

struct EndpointExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a .relativityClient file for a server.",
        discussion:
            "The file has the server's name and address, and its domain and schema if known. It has no login."
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String
    @Option(help: "File to write, which must not exist; by default standard output.")
    var out: String?

    func run() throws {
        let call = RegistryAPI.ExportCall(endpoint: endpoint)
        let content = try DaemonClient().call(call, within: .seconds(10)).content
        guard let out else {
            let shown = Terminal.outputIsTerminal ? PrintableText(content).text : content
            return output.show(["content": .string(content)], else: shown)
        }
        try ResultFile.create(out, mode: 0o644) { try $0.write(content) }
        output.report(["file": .string(out)])
    }
}
