// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import JSON
import LocalAPI

struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one server, and the fingerprint that a login to it is bound to.",
        discussion: "For an https server this connects to it, as far as the TLS handshake."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var trust: TrustOption
    @Argument(help: "The id of an endpoint, or a name that only one has.", completion: LiveNames.endpoints)
    var endpoint: String

    func run() throws {
        let client = try output.client("asking the server who it is")
        let found = try RegistryAPI.Endpoint.fetch(endpoint, client)
        let identity = Result { try RegistryAPI.Identity.fetch(found.id, by: trust.trust, client) }
        // Again, because asking for the identity may have shown whether anybody answers.
        let record = try RegistryAPI.Endpoint.fetch(found.id, client)
        output.show(Self.json(record, identity), else: Self.facts(record, identity).text)
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
            "last seen so": record.stateHeard.map { "\(Moment(seconds: $0).text), before the daemon started" },
            "url": record.url,
            "added otherwise": record.announcedUrl.map { "it announces itself as \($0)" },
            "restricted": record.restrictions.isEmpty ? nil : record.restrictions.joined(separator: ", "),
            "addresses": record.addresses.isEmpty
                ? nil : record.addresses.map { ShownAddress($0).text }.joined(separator: ", "),
            "interfaces": record.interfaces.isEmpty ? nil : record.interfaces.joined(separator: ", "),
            "sources": record.sources.isEmpty ? nil : record.sources.joined(separator: ", "),
            "data service": record.dataService,
            "login service": record.loginService,
            "login domain": record.loginDomain,
            "login schema": record.loginSchema,
            "announced as": record.serviceType,
            "probes": record.probe == .off ? "off" : nil,
            "hidden": record.hidden ? "from list and watch" : nil,
            "txt": record.txt.isEmpty ? nil : record.txt.joined(separator: ", "),
            "identity": (identified?.summary as (any Fact)?) ?? unidentified,
            "fingerprint": identified?.fingerprint,
            "in words": identified?.words,
            "vouched for": identified?.vouchedFor == true ? "by the administrator" : nil,
        ])
    }
}
