// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

extension PinStrength {
    init(_ strength: RegistryAPI.PinStrength) {
        self =
            switch strength {
            case .tlsKey: .tlsKey
            case .authority: .authority
            case .address: .address
            case .loopback: .loopback
            }
    }

    init(_ strength: CredentialsAPI.PinStrength) {
        self =
            switch strength {
            case .tlsKey: .tlsKey
            case .authority: .authority
            case .address: .address
            case .loopback: .loopback
            }
    }
}

extension RegistryAPI.Identity {
    static func fetch(
        _ endpoint: String,
        by trust: ServerTrust? = nil,
        _ client: DaemonClient
    ) throws -> RegistryAPI.Identity {
        let call = RegistryAPI.GetIdentityCall(endpoint: endpoint, trust: trust.map { $0 == .authority ? .ca : .key })
        return try client.call(call, within: DaemonClient.slow).identity
    }

    var isPlain: Bool { !PinStrength(strength).isEncrypted }

    /// By what the server is known, as a login to it says.
    var trust: CredentialsAPI.Trust { authority == nil ? .key : .ca }

    /// The pin, in words.
    var summary: String {
        let place = "\(ShownAddress(address).text) port \(port)"
        return switch strength {
        case .tlsKey: "a TLS key, shown by \(place)"
        case .authority:
            "a certificate for \(authority ?? "-"), shown by \(place) and vouched for by a trusted authority"
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
        output.tell(json, else: Columns([verb, endpoint, fingerprint] + logins).text)
    }
}

extension RegistryAPI.Endpoint {
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> RegistryAPI.Endpoint {
        try client.call(RegistryAPI.GetCall(endpoint: endpoint)).endpoint
    }
}

extension CredentialsAPI.Slot {
    /// What to ask a person for; nil where the key is kept outside.
    var prompt: String? {
        guard let what = ProviderName(rawValue: kind)?.prompt else { return nil }
        return "\(what) of slot \(Printable(name))"
    }

    /// Id and label, for people; whoever shows it makes it printable.
    var name: String { label.isEmpty ? id : "\(id) \"\(label)\"" }

    /// The strength, with the work of a guess where there is any to do.
    var protection: String { scryptLog2N.map { "\(strength), scrypt 2^\($0)" } ?? strength }

    /// Whether the daemon would understand this name as the slot's.
    func isCalled(_ name: String) -> Bool {
        guard !name.isEmpty else { return false }
        return label == name || id.hasPrefix(name.lowercased()) || name.lowercased().hasPrefix(id)
    }
}

/// That a server was added otherwise than it announces itself: nobody but the user can tell which of them is right.
struct Disagreement {
    let text: String

    /// - Returns: nil where there is none.
    init?(_ endpoint: EndpointSummary) {
        guard let announced = endpoint.announcedUrl else { return nil }
        let id = Printable(endpoint.id)
        text = """
            relctl: note: '\(Printable(endpoint.name))' was added as \(Printable(endpoint.url)), and announces itself as \
            \(Printable(announced)): if that is right, relctl endpoint remove \(id), then add it so

            """
    }
}

/// That a URL was given without a port, which means that of its scheme and not Relativity's.
struct MissingPort {
    let text: String

    /// - Parameters:
    ///   - address: as it was typed.
    ///   - port: what was made of it.
    /// - Returns: nil where the port was given, or is Relativity's.
    init?(in address: String, port: Int64) {
        guard let start = address.firstRange(of: "://")?.upperBound, port != Int64(ServerURL.usualPort) else {
            return nil
        }
        let authority = address[start...].prefix { $0 != "/" }
        let afterHost = authority.drop { $0 != "]" }
        guard !(afterHost.isEmpty ? authority : afterHost).contains(":") else { return nil }
        text = "relctl: note: without a port this is port \(port); Relativity's is \(ServerURL.usualPort)\n"
    }
}

/// Which limits of the list were met since the daemon's start, and how often.
struct LimitsMet {
    /// nil where none was.
    let text: String?

    init(_ status: ManagerAPI.Status) {
        let counts: [(Int64, String)] = [
            (status.droppedSightings, "sightings dropped for want of room"),
            (status.malformedSightings, "malformed sightings"),
            (status.cutSightings, "sightings with a TXT that was cut"),
            (status.refusedAddresses, "addresses refused that a sighting may not lead to"),
            (status.evictedEndpoints, "endpoints that made room for others"),
            (status.foldedChanges, "changes told as one with a newer one"),
        ]
        let met = counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
        text = met.isEmpty ? nil : met.joined(separator: ", ")
    }
}
