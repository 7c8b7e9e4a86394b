// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSON
import LocalAPI
import Platform

/// The options for the alternate addresses of a server.
struct AlternateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Add another address of the server. Repeatable.", valueName: "url"))
    var alternate: [String] = []
    @Option(help: ArgumentHelp("Remove another address of the server. Repeatable.", valueName: "url"))
    var removeAlternate: [String] = []
    @Flag(help: "The added address has the same database: edits and open sessions may continue there.")
    var oneDatabase = false
    @OptionGroup var agreement: ServerAgreement

    var isEmpty: Bool { alternate.isEmpty && removeAlternate.isEmpty }

    func validate() throws {
        if alternate.isEmpty, oneDatabase || agreement.isGiven {
            throw ValidationError("--one-database, --pin, --allow-plaintext and --trust require --alternate")
        }
        if agreement.pin != nil, alternate.count > 1 {
            throw ValidationError("--pin is the fingerprint of one --alternate")
        }
    }

    /// Removes and adds the addresses.
    func apply(to endpoint: String, _ output: OutputOptions) throws {
        guard !isEmpty else { return }
        let client = try output.client("fetching the server's identity")
        try CredentialsAPI.Vault.requireUnlocked(client)
        let record = try RegistryAPI.Endpoint.fetch(endpoint, client)
        var addresses: [CredentialsAPI.Address] = []
        for url in removeAlternate {
            let call = CredentialsAPI.RemoveAlternateCall(endpoint: record.id, url: url)
            do {
                addresses = try client.call(call, within: .seconds(30)).addresses
            } catch let error as DaemonError where error.code == .pinNotFound {
                throw Failure(ExitStatus(error.code), error.message, hint: "relctl show \(endpoint)")
            }
        }
        for url in alternate { addresses = try add(url, to: record, client) }
        let json: JSONObject = ["addresses": .array(addresses.map { .object($0.json) })]
        output.report(json, else: addresses.map { Columns($0.cells).text }.joined())
    }

    private func add(
        _ url: String,
        to record: RegistryAPI.Endpoint,
        _ client: DaemonClient
    ) throws -> [CredentialsAPI.Address] {
        let identity = try RegistryAPI.Identity.fetch(
            record.id,
            by: agreement.trust.trust,
            alternate: url,
            client
        )
        var shown = record
        shown.url = url
        try agreement.obtain(for: identity, of: shown, asking: "Is this another address of the same server?")
        let call = CredentialsAPI.AddAlternateCall(
            endpoint: record.id,
            url: url,
            pin: identity.fingerprint,
            trust: identity.trust,
            allowPlaintext: identity.isPlain,
            sameDatabase: oneDatabase || (agreement.pin == nil && Question.isYes(Self.question))
        )
        return try client.call(call, within: DaemonClient.slow).addresses
    }

    private static let question = """
        Does it have the same database, so that edits and kept tables may use it? If not, it can only be read.
        """
}

extension CredentialsAPI.Address {
    /// The URL and what is true of it.
    var cells: [String] {
        let marks = [
            alternate ? "alternate" : "own", sameDatabase ? nil : "other database", inUse ? "in use" : nil,
        ]
        return [url, marks.compactMap(\.self).joined(separator: ", ")]
    }

    /// The addresses of an endpoint that has alternates; none if it has none, or they cannot be read now.
    static func several(of endpoint: String, _ client: DaemonClient) -> [CredentialsAPI.Address] {
        let reply = try? client.call(CredentialsAPI.ListAddressesCall(endpoint: endpoint))
        return reply.map { $0.addresses.count > 1 ? $0.addresses : [] } ?? []
    }
}
