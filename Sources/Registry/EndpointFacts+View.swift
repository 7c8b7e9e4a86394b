// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The view of an endpoint that others get.
extension EndpointFacts {
    /// An admin service answers on a port of its own, which is not the one for data.
    private static let adminType = "_relativity_adminservice_rosdk._tcp"

    /// - Parameter isContested: another endpoint bears the same instance name.
    /// - Returns: nil when nothing makes the endpoint exist.
    func endpoint(_ settings: EndpointSettings, isContested: Bool) -> Endpoint? {
        let settings = (entry?.usual ?? EndpointSettings()).merged(with: settings)
        let latest = latest
        guard let url = entry?.url ?? latest?.url ?? memory?.url else { return nil }
        let (state, reason) = state(isContested: isContested)
        let met = state == reachability?.contact.state ? reachability : nil
        let shown = settings.applied(to: url)
        let announced = entry == nil ? nil : latest?.url
        let isOther = announced.map { $0.scheme != shown.scheme || $0.path != shown.path } ?? false
        let instance = memory?.instance ?? latest?.sighting.key.instance
        return Endpoint(
            id: id,
            name: name(latest),
            origin: entry?.origin ?? .discovered,
            state: state,
            stateReason: reason,
            stateSince: met?.since,
            stateHeard: met.flatMap { $0.isFromBefore ? $0.heard : nil },
            url: shown,
            announcedURL: isOther ? announced : nil,
            addresses: seen.isEmpty ? memory?.addresses ?? [] : addresses(latest),
            services: settings.services,
            instance: instance,
            interfaces: Self.distinct(seen.lazy.map(\.sighting.interfaceName).filter { !$0.isEmpty }).sorted(),
            sources: Self.distinct(seen.lazy.map(\.sighting.key.source)).sorted(),
            txt: latest?.sighting.txt ?? [],
            isProbed: settings.probe != .off,
            isHidden: settings.isHidden ?? false,
            constraints: settings.constraints,
            loginDomain: settings.loginDomain,
            loginSchema: settings.loginSchema
        )
    }

    var name: String { name(latest) }

    private func name(_ latest: TrackedSighting?) -> String {
        entry?.name ?? memory?.instance.name ?? latest?.sighting.key.instance.name ?? id.text
    }

    /// The sighting that tells where the server is: one of a chosen source rather than a multicast one, one that is not
    /// stale rather than one that is, one under the server's own name, data service rather than admin service, newest
    /// first.
    var latest: TrackedSighting? {
        guard seen.count > 1 else { return seen.first }
        let own = memory?.name ?? seen.first?.name
        return seen.max { Self.rank($0, own: own) < Self.rank($1, own: own) }
    }

    private static func rank(_ seen: TrackedSighting, own: InstanceName?) -> (Int, Int, Int, Int, UInt64) {
        let isAdmin = ASCIICase.areEqual(seen.sighting.key.instance.type.utf8, adminType.utf8)
        let (isChosen, isFresh, isOwn) = (seen.isOfChosenSource, !seen.isStale, seen.name == own)
        return (isChosen ? 1 : 0, isFresh ? 1 : 0, isOwn ? 1 : 0, isAdmin ? 0 : 1, seen.order)
    }

    /// Where it is sighted by the source that tells where the server is, IPv4 first.
    var addresses: [IPAddress] { addresses(latest) }

    private func addresses(_ latest: TrackedSighting?) -> [IPAddress] {
        let source = latest?.sighting.key.source
        let telling = seen.lazy.map(\.sighting).filter { $0.key.source == source }
        return Self.distinct(telling.map(\.address)).sorted { one, other in
            let (length, otherLength) = (one.bytes.count, other.bytes.count)
            return length == otherLength ? one.description < other.description : length < otherLength
        }
    }

    private func state(isContested: Bool) -> (EndpointState, reason: StateReason?) {
        let contact = reachability?.contact
        if let contact, contact.state == .conflict { return (.conflict, contact.reason) }
        if isContested { return (.conflict, StateReason(.nameTaken)) }
        if let contact { return (contact.state, contact.reason) }
        if !seen.isEmpty { return (seen.allSatisfy(\.isStale) ? .stale : .announced, nil) }
        if entry != nil { return (.unknown, nil) }
        return isAwaited ? (.stale, nil) : (.unreachable, StateReason(.vanished))
    }
}

extension TrackedSighting {
    fileprivate var url: ServerURL {
        ServerURL(
            scheme: sighting.scheme,
            host: ServerHost(announced: host.text, at: sighting.address, interface: sighting.interfaceName),
            port: sighting.port,
            path: sighting.path
        )
    }
}
