// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the servers.",
        discussion: "Hidden servers are not shown, except with --json.",
        aliases: ["ls"]
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Show hidden servers too.")
    var all = false

    func run() throws {
        let client = try DaemonClient()
        let reply = try client.json(
            RegistryAPI.ListCall(),
            onlyMembers: output.isJSON ? nil : EndpointSummary.members
        )
        if output.isJSON { return JSONOption.write(try reply.only("endpoints")) }
        let endpoints = try reply.objects("endpoints").map { try EndpointSummary(json: $0) }
        let status = try client.call(ManagerAPI.GetStatusCall()).status
        guard !endpoints.isEmpty else { return output.note(EmptyList(status).text) }
        if let note = FailedDiscovery(status)?.text { output.note(note) }
        let shown = all ? endpoints : endpoints.filter { !$0.hidden }
        if !shown.isEmpty { Terminal.write(table(shown).text) }
        if Terminal.errorIsTerminal {
            for note in shown.compactMap({ Disagreement($0) }) { output.note(note.text) }
        }
        let hidden = endpoints.count - shown.count
        if shown.isEmpty {
            output.note("no servers, except \(hidden) hidden: relctl list --all\n")
        } else if hidden > 0, Terminal.errorIsTerminal {
            output.note("\(hidden) hidden: relctl list --all\n")
        }
    }

    private func table(_ endpoints: [EndpointSummary]) -> Table {
        let rows = endpoints.map { endpoint in
            [endpoint.name, endpoint.state.rawValue, endpoint.origin.rawValue]
                + (all ? [endpoint.hidden ? "yes" : "no"] : []) + [endpoint.url, endpoint.id]
        }
        return Table(
            ["NAME", "STATE", "ORIGIN"] + (all ? ["HIDDEN"] : []) + ["URL", "ID"],
            rows,
            cutting: ["NAME", "URL"],
            to: Terminal.outputColumns
        )
    }
}

/// The notes printed for an empty list: why it is empty, and how to add a server.
struct EmptyList {
    let text: String

    init(_ status: ManagerAPI.Status) {
        let reasons = status.sources.filter { $0.state == .down }.map { source in
            "discovery through \(Printable(source.name)) does not work: \(source.reason)"
        }
        let reason =
            if let first = reasons.first {
                first
            } else if status.multicastInterfaces.isEmpty {
                "no network interface can receive announcements (multicast)"
            } else {
                "no announcement for \(Counted(Self.silence(status), "second")) on "
                    + status.multicastInterfaces.map { "\(Printable($0))" }.joined(separator: ", ")
            }
        let notes = status.notes.map { "note: \($0.text)\n" }.joined()
        text =
            notes + "no servers: \(reason)\n"
            + "to find the cause: relctl doctor\nto add a server: relctl add NAME ADDRESS\n"
    }

    private static func silence(_ status: ManagerAPI.Status) -> Int64 {
        status.sources.compactMap { $0.heardSecondsAgo ?? $0.upSeconds }.min() ?? 0
    }
}

/// The notes on sources that are down, because of which servers may be missing.
struct FailedDiscovery {
    let text: String

    /// - Returns: nil if all sources work.
    init?(_ status: ManagerAPI.Status) {
        let down = status.sources.filter { $0.state == .down }
        guard !down.isEmpty else { return nil }
        text =
            down.map { "discovery through \(Printable($0.name)) does not work: \($0.reason)\n" }.joined()
            + "to find the cause: relctl doctor\n"
    }
}

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a server and its identity.",
        discussion: "Connects to an https server and completes the TLS handshake."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var trust: TrustOption
    @Argument(help: "Endpoint ID or unique name.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws {
        let client = try output.client("fetching the server's identity")
        let found = try RegistryAPI.Endpoint.fetch(endpoint, client)
        let identity = Result { try RegistryAPI.Identity.fetch(found.id, by: trust.trust, client) }
        // Fetched again, because the identity request may have changed the endpoint's state.
        let record = try RegistryAPI.Endpoint.fetch(found.id, client)
        let addresses = CredentialsAPI.Address.several(of: found.id, client)
        var json = Self.json(record, identity)
        if !addresses.isEmpty { json["alternates"] = .array(addresses.map { .object($0.json) }) }
        let facts = Self.facts(record, identity)
        let places = addresses.map { $0.cells.joined(separator: "  ") }
        output.show(json, else: (places.isEmpty ? facts : facts.adding("reached at", places)).text)
    }

    private static func json(
        _ record: RegistryAPI.Endpoint,
        _ identity: Result<RegistryAPI.Identity, any Error>
    ) -> JSONObject {
        var json = record.json
        switch identity {
        case .success(let identity):
            json["fingerprint"] = .string(identity.fingerprint)
            json["identity"] = .object(identity.json)
        case .failure(let error):
            json["fingerprint"] = .null
            json["identityError"] = .string("\(error)")
        }
        return json
    }

    private static func facts(
        _ record: RegistryAPI.Endpoint,
        _ identity: Result<RegistryAPI.Identity, any Error>
    ) -> Facts {
        let identified = try? identity.get()
        var unidentified: Printable?
        if case .failure(let error) = identity { unidentified = Printable(again: "unknown: \(error)") }
        return Facts([
            "name": record.name,
            "id": record.id,
            "origin": record.origin.rawValue,
            "state": StateWord(record.state.rawValue, because: record.stateReason?.text),
            "since": record.stateSince.map { Moment(seconds: $0).text },
            "confirmed": record.stateHeard.map { "\(Moment(seconds: $0).text), before the daemon started" },
            "url": record.url,
            "announced URL": record.announcedUrl,
            "restricted": record.restrictions.isEmpty ? nil : record.restrictions.joined(separator: ", "),
            "addresses": record.addresses.isEmpty
                ? nil : record.addresses.map { ShownAddress($0).text }.joined(separator: ", "),
            "interfaces": record.interfaces.isEmpty ? nil : record.interfaces.joined(separator: ", "),
            "sources": record.sources.isEmpty ? nil : record.sources.joined(separator: ", "),
            "data service": record.dataService,
            "login service": record.loginService,
            "login domain": record.loginDomain,
            "login schema": record.loginSchema,
            "code page": record.codePage,
            "default login": record.defaultLogin,
            "announced as": record.serviceType,
            "probes": record.probe == .off ? "off" : nil,
            "hidden": record.hidden ? "from list and watch" : nil,
            "txt": record.txt.isEmpty ? nil : record.txt.joined(separator: ", "),
            "identity": (identified?.summary as (any Fact)?) ?? unidentified,
            "fingerprint": identified?.fingerprint,
            "in words": identified?.words,
            "pinned by": identified?.vouchedFor == true ? "the administrator" : nil,
        ])
    }
}

struct AddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a server by its address.",
        discussion: """
            A host or address is completed to http://HOST:7099/bin. A full URL without a port means port 80 or \
            443.
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "Name of the server.")
    var name: String
    @Argument(help: "A host, HOST:PORT or full URL.")
    var address: String

    func run() throws {
        let call = RegistryAPI.AddCall(name: name, address: address)
        let endpoint = try DaemonClient().call(call, within: .seconds(10)).endpoint
        output.report(endpoint.json, else: Columns(["added", endpoint.name, endpoint.url, endpoint.id]).text)
        for note in [
            MissingPort(in: address, port: endpoint.port)?.text, Disagreement(EndpointSummary(endpoint))?.text,
        ] {
            if let note { output.note(note) }
        }
    }
}
