// SPDX-License-Identifier: Apache-2.0

import Endpoints

@testable import Registry

/// The registry without bookkeeping: remembers what is live and works the whole list out anew whenever it is asked.
struct RegistryModel {
    struct Live {
        var sighting: Sighting
        var order: Int
        var isStale: Bool
    }

    let limits: RegistryLimits
    let deriveID: (ServiceInstance) -> EndpointID
    private var live: [Sighting.Key: Live] = [:]
    private var manual: [EndpointID: ManualEntry] = [:]
    private var settings: [EndpointID: EndpointSettings] = [:]
    private var contacts: [EndpointID: Reachability] = [:]
    private var order = 0
    private(set) var dropped: UInt64 = 0

    init(limits: RegistryLimits, deriveID: @escaping (ServiceInstance) -> EndpointID) {
        self.limits = limits
        self.deriveID = deriveID
    }

    mutating func apply(_ event: SightingEvent) {
        switch event {
        case .sighted(let sighting): sighted(sighting)
        case .vanished(let key): live[key] = nil
        case .lost(let key): live[key]?.isStale = true
        case .settled: live = live.filter { !$0.value.isStale }
        case .source(.down): for key in live.keys { live[key]?.isStale = true }
        case .source(.up): break
        }
        forgetContacts()
    }

    private mutating func sighted(_ sighting: Sighting) {
        let key = sighting.key
        let derived = deriveID(key.instance)
        let siblings = live.keys.filter { deriveID($0.instance) == derived }
        let isFull =
            siblings.isEmpty
            ? Set(live.keys.map { deriveID($0.instance) }).count >= limits.instances
            : live[key] == nil && siblings.count >= limits.sightingsPerInstance
        guard !isFull else {
            dropped += 1
            return
        }
        if let old = live[key]?.sighting,
            (old.host, old.port, old.address) != (sighting.host, sighting.port, sighting.address)
        {
            contacts[owner(of: key)] = nil
        }
        order += 1
        live[key] = Live(sighting: sighting, order: order, isStale: false)
    }

    /// - Returns: whether the entry was taken.
    mutating func add(_ entry: ManualEntry, id: EndpointID) -> Bool {
        guard manual.count < limits.manualEntries,
            !manual.values.contains(where: { $0.name == entry.name || $0.url == entry.url })
        else { return false }
        let announced = live.filter { Self.names(entry, $0.value.sighting) }.keys.map(owner)
            .filter { manual[$0] == nil }
        manual[announced.min { $0.text < $1.text } ?? id] = entry
        forgetContacts()
        return true
    }

    /// - Returns: whether there was anything of the user's to remove.
    mutating func remove(_ id: EndpointID) -> Bool {
        guard ids.contains(id), manual[id] != nil || settings[id] != nil else { return false }
        manual[id] = nil
        settings[id] = nil
        contacts[id] = nil
        forgetContacts()
        return true
    }

    mutating func putBack(_ entry: ManualEntry?, settings saved: EndpointSettings?, id: EndpointID) {
        manual[id] = entry
        settings[id] = saved
        forgetContacts()
    }

    /// - Returns: whether there is such an endpoint.
    mutating func set(_ id: EndpointID, _ newer: EndpointSettings) -> Bool {
        guard ids.contains(id) else { return false }
        let merged = (settings[id] ?? EndpointSettings()).merged(with: newer)
        settings[id] = merged == EndpointSettings() ? nil : merged
        contacts[id] = nil
        return true
    }

    mutating func note(_ contact: Contact, for id: EndpointID, at now: Int64) {
        guard ids.contains(id) else { return }
        if contacts[id] == nil {
            contacts[id] = Reachability(contact, at: now)
        } else {
            contacts[id]?.hear(contact, at: now)
        }
    }

    private mutating func forgetContacts() {
        guard !contacts.isEmpty else { return }
        let ids = ids
        contacts = contacts.filter { ids.contains($0.key) }
    }
}

extension RegistryModel {
    var ids: Set<EndpointID> { Set(live.keys.map(owner)).union(manual.keys) }

    var endpoints: [Endpoint] {
        let seen = Dictionary(grouping: live.values) { owner(of: $0.sighting.key) }
        return Set(seen.keys).union(manual.keys).map { endpoint($0, seen[$0] ?? []) }
            .sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }

    private func owner(of key: Sighting.Key) -> EndpointID {
        let derived = deriveID(key.instance)
        guard !manual.isEmpty else { return derived }
        let sightings = live.values.map(\.sighting).filter { deriveID($0.key.instance) == derived }
        let claims = manual.filter { entry in sightings.contains { Self.names(entry.value, $0) } }.keys
        return claims.min { $0.text < $1.text } ?? derived
    }

    private func endpoint(_ id: EndpointID, _ unsorted: [Live]) -> Endpoint {
        let seen = unsorted.sorted { $0.order < $1.order }
        let latest = (seen.last { !$0.isStale } ?? seen.last)?.sighting
        let entry = manual[id]
        let own = settings[id] ?? EndpointSettings()
        let announced = ServerURL(
            scheme: .http,
            host: .name(Self.plain(latest?.host ?? "")),
            port: latest?.port ?? 0,
            path: "/bin"
        )
        var url = entry?.url ?? announced
        url.scheme = own.scheme ?? url.scheme
        url.path = own.path ?? url.path
        let current = Set(seen.filter { $0.sighting.port == latest?.port }.map(\.sighting.address))
            .sorted { $0.description < $1.description }
        return Endpoint(
            id: id,
            name: entry?.name ?? latest?.key.instance.name ?? "",
            origin: entry == nil ? .discovered : .manual,
            state: state(id, seen),
            stateReason: contacts[id]?.contact.reason,
            stateSince: contacts[id]?.since,
            url: url,
            addresses: current.filter { $0.family == .inet } + current.filter { $0.family == .inet6 },
            services: ServiceNames(data: own.dataService ?? "DataService", login: own.loginService ?? "LoginService"),
            instance: latest?.key.instance,
            interfaces: Set(seen.map(\.sighting.interfaceName)).sorted(),
            txt: latest?.txt ?? []
        )
    }

    private func state(_ id: EndpointID, _ seen: [Live]) -> EndpointState {
        if let known = contacts[id] { return known.contact.state }
        if seen.isEmpty { return .unknown }
        return seen.contains { !$0.isStale } ? .announced : .stale
    }

    private static func names(_ entry: ManualEntry, _ sighting: Sighting) -> Bool {
        guard entry.url.port == sighting.port else { return false }
        return switch entry.url.host {
        case .address(let address, _): address.bytes == sighting.address.bytes
        case .name(let name): name.contains(".") && name == plain(sighting.host)
        }
    }

    private static func plain(_ host: String) -> String {
        let name = host.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
