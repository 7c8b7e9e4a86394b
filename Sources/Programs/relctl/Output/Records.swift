// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

extension RegistryAPI.Identity {
    static func fetch(
        _ endpoint: String,
        by trust: ServerTrust? = nil,
        alternate: String? = nil,
        _ client: DaemonClient
    ) throws -> RegistryAPI.Identity {
        let call = RegistryAPI.GetIdentityCall(endpoint: endpoint, trust: trust, alternate: alternate)
        return try client.call(call, within: DaemonClient.slow).identity
    }

    var isPlain: Bool { !strength.isEncrypted }

    var trust: ServerTrust { authority == nil ? .key : .ca }

    /// A description of the identity.
    var summary: String {
        let place = "\(ShownAddress(address).text) port \(port)"
        return switch strength {
        case .tlsKey: "a TLS key, shown by \(place)"
        case .authority:
            "a certificate for \(authority ?? "-"), shown by \(place) and verified by a trusted authority"
        case .address: "plain HTTP at \(place): unencrypted, and no proof of who answers there"
        case .loopback: "plain HTTP on this machine, \(place)"
        }
    }
}

extension CredentialsAPI.Pin {
    /// - Returns: nil if the endpoint is not pinned.
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> CredentialsAPI.Pin? {
        try client.call(CredentialsAPI.ListPinsCall()).pins.first { $0.endpoint == endpoint }
    }

    func show(as verb: String, _ output: OutputOptions) {
        output.report(json, else: Columns([verb, endpoint, fingerprint] + logins).text)
    }
}

extension RegistryAPI.Endpoint {
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> RegistryAPI.Endpoint {
        try client.call(RegistryAPI.GetCall(endpoint: endpoint)).endpoint
    }
}

extension VaultSlot {
    /// The prompt for the slot's secret; nil if its key is stored outside the vault.
    var prompt: String? {
        guard let what = ProviderName(rawValue: kind)?.prompt else { return nil }
        return "\(what) of slot \(Printable(name))"
    }

    /// ID and label; the caller must make them printable.
    var name: String { label.isEmpty ? id : "\(id) \"\(label)\"" }

    /// The strength, with the work of a guess where there is any to do.
    var protection: String { scryptLog2N.map { "\(strength), scrypt 2^\($0)" } ?? strength.description }

    /// Whether the daemon would accept this name for the slot.
    func isCalled(_ name: String) -> Bool {
        guard !name.isEmpty else { return false }
        return label == name || id.hasPrefix(name.lowercased()) || name.lowercased().hasPrefix(id)
    }
}

/// The note that a server was added with another URL than it announces. Only the user knows which is right.
struct Disagreement {
    let text: String

    /// - Returns: nil if the URLs do not differ.
    init?(_ endpoint: EndpointSummary) {
        guard let announced = endpoint.announcedUrl else { return nil }
        let id = Printable(endpoint.id)
        text = """
            relctl: note: '\(Printable(endpoint.name))' was added as \(Printable(endpoint.url)), but announces \
            \(Printable(announced)): if that is right, relctl endpoint remove \(id), then add it with that URL

            """
    }
}

/// The note that a URL without a port uses the default port of its scheme, not that of Relativity.
struct MissingPort {
    let text: String

    /// - Parameters:
    ///   - address: the address as typed.
    ///   - port: the port that the daemon derived.
    /// - Returns: nil if the address has a port, or if the port is Relativity's.
    init?(in address: String, port: Int64) {
        guard let start = address.firstRange(of: "://")?.upperBound, port != Int64(ServerURL.usualPort) else {
            return nil
        }
        let authority = address[start...].prefix { $0 != "/" }
        let afterHost = authority.drop { $0 != "]" }
        guard !(afterHost.isEmpty ? authority : afterHost).contains(":") else { return nil }
        text = "relctl: note: a URL without a port means port \(port); Relativity uses \(ServerURL.usualPort)\n"
    }
}

/// The limits of the list that were reached since the daemon started, with counts.
struct LimitsMet {
    /// nil if no limit was reached.
    let text: String?

    init(_ status: ManagerAPI.Status) {
        let counts: [(Int64, String)] = [
            (status.droppedSightings, "sightings dropped (list full)"),
            (status.malformedSightings, "malformed sightings"),
            (status.cutSightings, "sightings with a shortened TXT record"),
            (status.refusedAddresses, "forbidden addresses refused"),
            (status.evictedEndpoints, "endpoints evicted"),
            (status.foldedChanges, "changes merged with newer ones"),
        ]
        let met = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        text = met.isEmpty ? nil : met.joined(separator: ", ")
    }
}

extension CredentialsAPI.Vault {
    static func fetch(_ client: DaemonClient) throws -> Self {
        try client.call(CredentialsAPI.GetStatusCall()).vault
    }

    /// Fails if the vault is not unlocked. Called before a secret is asked for that could not be used.
    @discardableResult
    static func requireUnlocked(_ client: DaemonClient? = nil) throws -> Self {
        let vault = try fetch(client ?? DaemonClient())
        try vault.checkReadable()
        switch vault.state {
        case .unlocked: return vault
        case .absent: throw Failure(.vaultLocked, "there is no vault", hint: "relctl vault init")
        case .sealed, .locked:
            throw Failure(.vaultLocked, "the vault is locked", hint: "relctl vault unlock")
        }
    }

    /// Fails with the matching exit status if the vault's file cannot be read. An unlocked vault needs no file to be
    /// exported.
    func checkReadable() throws {
        guard let problem, state != .unlocked else { return }
        let status = error.flatMap(DaemonError.Code.init(rawValue:)).map { ExitStatus($0) } ?? .failed
        throw Failure(status, "\(Printable(problem))", hint: "relctl vault status")
    }
}

extension CredentialsAPI.Provider {
    static func fetchAll(_ output: OutputOptions) throws -> [Self] {
        try output.client().call(CredentialsAPI.ListProvidersCall(), within: DaemonClient.slow).providers
    }
}

extension BrokerAPI.Adapter {
    var facts: Facts {
        Facts([
            "adapter": id,
            "socket": socketPath,
            "url": url,
            "endpoint": endpointName,
            "login": login ?? "none",
            "domain": domain,
            "schema": schema,
            "data service": dataService,
            "login service": loginService,
        ])
    }
}
