// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Everything known of one endpoint, and the view of it that others get.
struct EndpointFacts {
    let id: EndpointID
    let manual: ManualEntry?
    /// The administrator laid `manual` down.
    let isConfigured: Bool
    let settings: EndpointSettings
    let reachability: Reachability?
    let seen: [RegistryState.Seen]

    /// nil when nothing makes the endpoint exist.
    var endpoint: Endpoint? {
        guard let url = url else { return nil }
        let current = seen.filter { $0.sighting.port == latest?.sighting.port }.map(\.sighting)
        let settings = (manual?.usual ?? EndpointSettings()).merged(with: settings)
        return Endpoint(
            id: id,
            name: manual?.name ?? latest?.sighting.key.instance.name ?? id.text,
            origin: isConfigured ? .configured : manual?.origin ?? .discovered,
            state: state,
            stateReason: reachability?.contact.reason,
            stateSince: reachability?.since,
            stateHeard: reachability.flatMap { $0.isFromBefore ? $0.heard : nil },
            url: settings.applied(to: url),
            addresses: Set(current.map(\.address)).sorted {
                ($0.bytes.count, $0.description) < ($1.bytes.count, $1.description)
            },
            services: settings.services,
            instance: latest?.sighting.key.instance,
            interfaces: Set(seen.map(\.sighting.interfaceName)).sorted(),
            txt: latest?.sighting.txt ?? [],
            isProbed: settings.probe != .off,
            loginDomain: settings.loginDomain,
            loginSchema: settings.loginSchema
        )
    }

    /// The most recent word on where the server is; during a change of port, older sightings lag behind.
    private var latest: RegistryState.Seen? {
        seen.max { ($0.isStale ? 0 : 1, $0.order) < ($1.isStale ? 0 : 1, $1.order) }
    }

    private var url: ServerURL? {
        if let manual { return manual.url }
        guard let sighting = latest?.sighting else { return nil }
        return ServerURL(
            scheme: sighting.scheme,
            host: ServerHost(announced: sighting.host, at: sighting.address, interface: sighting.interfaceName),
            port: sighting.port,
            path: sighting.path
        )
    }

    private var state: EndpointState {
        if let reachability { return reachability.contact.state }
        return seen.isEmpty ? .unknown : seen.allSatisfy(\.isStale) ? .stale : .announced
    }
}
