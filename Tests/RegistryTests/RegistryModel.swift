// SPDX-License-Identifier: Apache-2.0

import Endpoints

@testable import Registry

/// The registry without indexes: a list of servers that is searched completely for each query.
struct RegistryModel {
    let limits: RegistryLimits
    let deriveID: (ServiceInstance, HostName?) -> EndpointID
    private(set) var servers: [ModelServer] = []
    private var settings: [EndpointID: EndpointSettings] = [:]
    /// The endpoints at each address, in the order of their arrival, in the form of `ModelServer.addressPlaces`.
    private var endpointsByAddress: [String: [EndpointID]] = [:]
    private var clock = 0
    private(set) var dropped: UInt64 = 0
    private(set) var evicted: UInt64 = 0
    private(set) var cut: UInt64 = 0
    private(set) var malformed: UInt64 = 0

    init(limits: RegistryLimits, deriveID: @escaping (ServiceInstance, HostName?) -> EndpointID) {
        self.limits = limits
        self.deriveID = deriveID
    }

    subscript(id: EndpointID) -> ModelServer? { servers.first { $0.id == id } }

    var endpoints: [Endpoint] {
        Self.sorted(
            servers.map { server in
                server.endpoint(
                    settings[server.id] ?? EndpointSettings(),
                    isContested: servers.contains { other in
                        other.id != server.id && !other.names.isDisjoint(with: server.names)
                            && (other.entry == nil && server.entry == nil
                                || other.lastLocators.isDisjoint(with: server.lastLocators))
                    }
                )
            }
        )
    }

    static func sorted(_ endpoints: [Endpoint]) -> [Endpoint] {
        endpoints.sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }

    // MARK: Sightings

    mutating func apply(_ event: SightingEvent, from source: SourceName) {
        switch event {
        case .sighted(let sighting): sighted(sighting)
        case .vanished(let key):
            if let holder = take(key) { releaseOthers(of: holder) }
        case .lost(let key): eachLive { if $0.key == key { $0.isStale = true } }
        case .source(.down): eachLive { if $0.key.source == source { $0.isStale = true } }
        case .source(.up): break
        case .settled:
            let gone = servers.flatMap(\.live).filter { $0.isStale && $0.key.source == source }
            let holders = servers.filter { $0.live.contains { $0.key.source == source } }.map(\.id)
            for live in gone { take(live.key) }
            for holder in holders { releaseOthers(of: holder) }
            for index in servers.indices where servers[index].memory?.source == source {
                servers[index].isAwaited = false
            }
        }
    }

    private mutating func sighted(_ foreign: Sighting) {
        guard foreign.key.instance.nameBytes.count <= limits.nameBytes else {
            malformed += 1
            return
        }
        var sighting = foreign
        while sighting.txt.reduce(0, { $0 + 1 + $1.count }) > limits.txtBytes { sighting.txt.removeLast() }
        if sighting != foreign { cut += 1 }
        let old = servers.flatMap(\.live).first { $0.key == sighting.key }
        if let old, old.sighting == sighting, !old.isStale { return }
        clock += 1
        while servers.flatMap(\.live).reduce(0, { $0 + TrackedSighting.cost(of: $1.sighting) })
            + TrackedSighting.cost(of: sighting)
            > limits.sightingBytes
        {
            guard evictOldest() else {
                dropped += 1
                return
            }
        }
        place(ModelServer.Live(sighting: sighting, order: clock))
    }

    private mutating func place(_ new: ModelServer.Live) {
        let fitting = matches(for: new)
        guard let holder = servers.first(where: { $0.holds(new.key) }), holder.id != fitting.first else {
            return assign(new, to: fitting)
        }
        take(new.key)
        assign(new, to: fitting)
        releaseOthers(of: holder.id)
    }

    private mutating func releaseOthers(of id: EndpointID) {
        guard let server = self[id], server.isAnnouncedElsewhere else { return }
        for live in server.live { take(live.key) }
        for live in server.live { place(live) }
    }

    private mutating func assign(_ new: ModelServer.Live, to fitting: [EndpointID]) {
        guard let home = fitting.first ?? createEndpoint(for: new), let server = self[home],
            server.holds(new.key) || server.live.count < limits.sightingsPerEndpoint
        else {
            dropped += 1
            return
        }
        change(home) { $0.put(new) }
        for other in fitting.dropFirst() {
            guard let taken = self[other], let taker = self[home], !taken.isKept,
                taken.live.count + taker.live.count <= limits.sightingsPerEndpoint,
                taker.isNamed(new) || !taken.names.isDisjoint(with: taker.names)
                    || taken.sources.isDisjoint(with: taker.sources)
            else { continue }
            change(other) { _ in nil }
            change(home) { server in for live in taken.live { server.put(live) } }
        }
    }

    private func matches(for new: ModelServer.Live) -> [EndpointID] {
        let named = servers.filter { $0.isNamed(new) }.map(\.id).min { $0.text < $1.text }
        let fitting = servers.filter { $0.mayHold(new) }.filter { server in
            server.names.contains(new.name) && !server.known.isDisjoint(with: new.locators)
                || endpointsByAddress[new.addressPlace]?.first == server.id && !server.sources.contains(new.key.source)
        }
        let rest = fitting.filter { $0.id != named }.sorted {
            ($0.isKept ? 0 : 1, $0.number) < ($1.isKept ? 0 : 1, $1.number)
        }
        return (named.map { [$0] } ?? []) + rest.map(\.id)
    }

    private mutating func createEndpoint(for new: ModelServer.Live) -> EndpointID? {
        let discovered = servers.filter { !$0.isKept }
        let share = discovered.count { $0.discoveredAt == new.host }
        let ids = [deriveID(new.key.instance, nil), deriveID(new.key.instance, HostName(new.sighting.host))]
        guard servers.count(where: { $0.names.contains(new.name) }) < limits.endpointsPerName,
            share == 0 || 2 * (share + 1) <= limits.discovered - (discovered.count - share),
            let id = ids.first(where: { self[$0] == nil })
        else { return nil }
        if discovered.count >= limits.discovered { _ = evictOldest() }
        clock += 1
        servers.append(ModelServer(id: id, number: clock, discoveredAt: new.host))
        return id
    }

    private mutating func evictOldest() -> Bool {
        guard let oldest = servers.filter({ !$0.isKept }).min(by: { $0.number < $1.number }) else { return false }
        evicted += 1
        change(oldest.id) { _ in nil }
        return true
    }

    /// - Returns: the server that had the sighting.
    @discardableResult
    private mutating func take(_ key: Sighting.Key) -> EndpointID? {
        guard let holder = servers.first(where: { $0.holds(key) })?.id else { return nil }
        change(holder) { $0.take(key) }
        dropIfEmpty(holder)
        return holder
    }

    private mutating func dropIfEmpty(_ id: EndpointID) {
        if let left = self[id], left.live.isEmpty, !left.isKept { change(id) { _ in nil } }
    }

    private mutating func eachLive(_ body: (inout ModelServer.Live) -> Void) {
        for server in servers.indices {
            for live in servers[server].live.indices { body(&servers[server].live[live]) }
        }
    }

    /// Changes a server, and updates the endpoints of each address.
    private mutating func change(_ id: EndpointID, _ body: (inout ModelServer) -> Void) {
        change(id) { server in
            var server = server
            body(&server)
            return server
        }
    }

    private mutating func change(_ id: EndpointID, _ body: (ModelServer) -> ModelServer?) {
        guard let index = servers.firstIndex(where: { $0.id == id }) else { return }
        let old = servers[index].addressPlaces
        if let new = body(servers[index]) { servers[index] = new } else { servers.remove(at: index) }
        let new = self[id]?.addressPlaces ?? []
        for place in old.subtracting(new) { endpointsByAddress[place]?.removeAll { $0 == id } }
        for place in new.subtracting(old)
        where endpointsByAddress[place, default: []].count < limits.endpointsPerAddress {
            endpointsByAddress[place, default: []].append(id)
        }
    }
}

/// Actions of the user.
extension RegistryModel {
    /// - Returns: whether the entry was accepted.
    mutating func add(_ entry: ManualEntry, id fresh: EndpointID) -> Bool {
        let entries = servers.compactMap(\.entry)
        guard entries.count < limits.kept, !entries.contains(where: { $0.name == entry.name || $0.url == entry.url })
        else { return false }
        let announced = servers.filter { server in
            server.entry == nil && server.live.contains { ModelServer.names(entry, $0) }
        }
        let best = announced.min { ($0.isKept ? 0 : 1, $0.number) < ($1.isKept ? 0 : 1, $1.number) }
        let named = servers.flatMap(\.live).filter { ModelServer.names(entry, $0) }.sorted { $0.order < $1.order }
        if let best {
            change(best.id) { $0.entry = entry }
        } else {
            insert(SavedEndpoint(id: fresh, entry: entry), isAwaited: false)
        }
        for live in named { place(live) }
        return true
    }

    /// - Returns: whether there was an entry, use or setting to remove.
    mutating func remove(_ id: EndpointID) -> Bool {
        guard let server = self[id], server.isKept || settings[id] != nil else { return false }
        restore(SavedEndpoint(id: id), isAwaited: false)
        return true
    }

    mutating func restore(_ saved: SavedEndpoint, isAwaited: Bool) {
        let id = saved.id
        let old = self[id]
        settings[id] = saved.settings.isEmpty ? nil : saved.settings
        guard old?.entry != saved.entry || (old?.memory == nil) != (saved.memory == nil) else { return }
        change(id) { _ in nil }
        if saved.entry != nil || saved.memory != nil { insert(saved, isAwaited: isAwaited) }
        for live in (old?.live ?? []).sorted(by: { $0.order < $1.order }) { place(live) }
        if let entry = saved.entry {
            let named = servers.flatMap(\.live).filter { ModelServer.names(entry, $0) }
            for live in named.sorted(by: { $0.order < $1.order }) { place(live) }
        }
    }

    private mutating func insert(_ saved: SavedEndpoint, isAwaited: Bool) {
        clock += 1
        servers.append(ModelServer(id: saved.id, number: clock, discoveredAt: nil))
        change(saved.id) { server in
            server.entry = saved.entry
            server.memory = saved.memory
            server.isAwaited = isAwaited
            server.known = Set(saved.memory.map(ModelServer.locators) ?? [])
        }
    }

    /// - Returns: whether there is such an endpoint.
    mutating func set(_ id: EndpointID, _ newer: EndpointSettings) -> Bool {
        guard let index = servers.firstIndex(where: { $0.id == id }) else { return false }
        let old = settings[id] ?? EndpointSettings()
        let new = old.merged(with: newer)
        settings[id] = new == EndpointSettings() ? nil : new
        if new.scheme != old.scheme || new.path != old.path || new.probe != old.probe {
            servers[index].reachability = nil
        }
        return true
    }

    mutating func note(_ contact: Contact, for id: EndpointID, at now: Int64) {
        guard let index = servers.firstIndex(where: { $0.id == id }) else { return }
        if servers[index].reachability == nil {
            servers[index].reachability = Reachability(contact, at: now)
        } else {
            servers[index].reachability?.record(contact, at: now)
        }
    }

    mutating func remember(_ id: EndpointID) {
        guard let server = self[id], !server.live.isEmpty,
            server.memory != nil || servers.count(where: { $0.memory != nil }) < limits.kept
        else { return }
        change(id) { $0.remember() }
    }
}
