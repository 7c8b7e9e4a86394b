// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The endpoints that exist. Input: sightings and the user's entries. Output: changes. Pure; `EndpointRegistry`
/// performs the effects.
///
/// A sighting belongs to the first of these that exists:
/// 1. The entry that names its address or full host name, and its port.
/// 2. The endpoint with its instance name that was sighted at the same host or address before, or was there when it was
///    last used, on any port.
/// 3. The endpoint that another source, and not its own, sights at the same address and port.
/// 4. A new endpoint. If another endpoint has the same instance name, both are in conflict as long as both have it.
///
/// If several endpoints fit, one that was added or used is chosen, then the oldest. It takes over the endpoints that
/// were only discovered.
///
/// If several sources see one endpoint, a configured source decides where it is, rather than multicast.
///
/// An entry has a port, which no announcement changes. So 2 and 3 apply to it only for sightings on its port, and for
/// others, such as one of the admin service, as long as it has one on its port. When the last of those is gone, the others
/// leave it.
///
/// An endpoint stays while it is announced, while it is added, or once it was used. Sightings that belong together stay
/// together until they end.
struct RegistryState: Sendable {
    let limits: RegistryLimits
    private let deriveID: @Sendable (ServiceInstance, HostName?) -> EndpointID
    /// The endpoints. The table updates its indexes with each change.
    var table: EndpointTable
    private(set) var counters = RegistryCounters()
    /// A counter that increases with every sighting that contains something new, and with every endpoint.
    private var clock: UInt64 = 0

    /// - Parameter deriveID: returns the ID of an endpoint that only its announcement names; equal for equal instances.
    ///   It receives a host if another endpoint has the same name.
    init(
        limits: RegistryLimits = RegistryLimits(),
        types: ServiceTypeSettings = ServiceTypeSettings(),
        deriveID: @escaping @Sendable (ServiceInstance, HostName?) -> EndpointID = EndpointID.derived
    ) {
        self.limits = limits
        self.deriveID = deriveID
        table = EndpointTable(limits: limits, types: types)
    }

    // MARK: Reading

    /// All endpoints, sorted by name, then ID.
    var endpoints: [Endpoint] { EndpointList(table).endpoints }

    /// Visits all endpoints in no order, one after the other. An array of them would take several times the memory of the
    /// stored facts.
    func forEachEndpoint(_ body: (Endpoint) -> Void) {
        for facts in table.all {
            if let endpoint = table.endpoint(facts) { body(endpoint) }
        }
    }

    func endpoint(_ id: EndpointID) -> Endpoint? { table.endpoint(id) }

    func constraints(of id: EndpointID) -> AccessConstraints {
        table.settings(of: id)?.constraints ?? AccessConstraints()
    }

    /// The source that decides where an endpoint is, or that did so last; nil if the endpoint was never sighted.
    func locatingSource(of id: EndpointID) -> SourceName? {
        table[id].flatMap { $0.latest?.sighting.key.source ?? $0.memory?.source }
    }

    /// The announced instances of an endpoint, from all sources.
    func instances(of id: EndpointID) -> Set<ServiceInstance> {
        Set(table[id]?.seen.map(\.sighting.key.instance) ?? [])
    }

    var ids: [EndpointID] { table.ids }

    /// The number of endpoints. Makes none of them.
    var count: Int { table.count }

    /// The version of the table. While it stays the same, every endpoint stays the same.
    var edition: UInt64 { table.edition }

    // MARK: Changes

    /// Returns a number for a new endpoint, higher than all earlier ones.
    mutating func makeNumber() -> UInt64 {
        clock += 1
        return clock
    }
}

/// The events of sources.
extension RegistryState {
    /// Applies an event. `settled` and `source` apply to the sightings of this source only. A sighting of another source is
    /// ignored.
    mutating func apply(_ event: SightingEvent, from source: SourceName) {
        switch event {
        case .sighted(let sighting):
            if sighting.key.source == source { sighted(sighting) }
        case .vanished(let key):
            if key.source == source, let holder = holder(of: key) {
                table.take(key, from: holder)
                releaseOthers(of: holder)
            }
        case .lost(let key):
            if key.source == source, let holder = holder(of: key) { markStale(holder) { $0 == key } }
        case .settled:
            forgetStale(of: source)
        case .source(.down):
            for holder in holders(of: source) { markStale(holder) { $0.source == source } }
        case .source(.up):
            break
        }
    }

    /// Whether a sighting of this source is known only from before the source went down.
    func hasStale(of source: SourceName) -> Bool {
        table.all.contains { facts in
            facts.seen.contains { $0.isStale && $0.sighting.key.source == source }
        }
    }

    private mutating func sighted(_ foreign: Sighting) {
        guard let sighting = bounded(foreign) else { return }
        let new = TrackedSighting(sighting, order: clock + 1)
        if let old = seen(sighting.key, named: new.name) {
            guard old.isStale || old.sighting != sighting else { return }
        }
        clock += 1
        guard makeSpace(for: sighting) else {
            counters.dropped += 1
            return
        }
        place(new)
    }

    private func seen(_ key: Sighting.Key, named name: InstanceName) -> TrackedSighting? {
        guard let holder = holder(of: key, named: name) else { return nil }
        return table.look(at: holder) { facts in facts.seen.first { $0.sighting.key == key } } ?? nil
    }

    /// - Returns: the sighting, with a TXT record within the limit; nil if it cannot be a server's announcement.
    private mutating func bounded(_ sighting: Sighting) -> Sighting? {
        let instance = sighting.key.instance
        guard instance.nameBytes.count <= limits.nameBytes, instance.type.utf8.count <= limits.domainBytes,
            instance.domain.utf8.count <= limits.domainBytes, sighting.host.utf8.count <= limits.hostBytes,
            sighting.port > 0,
            sighting.path == ServerURL.usualPath || (try? ServerURL.checkedPath(sighting.path)) != nil
        else {
            counters.malformed += 1
            return nil
        }
        let fitting = TXTStrings.fitting(sighting.txt, maximumBytes: limits.txtBytes)
        guard fitting.count < sighting.txt.count else { return sighting }
        counters.cut += 1
        var bounded = sighting
        bounded.txt = Array(fitting)
        return bounded
    }

    /// Evicts discovered endpoints until a sighting fits. Returns false if it does not fit even then.
    private mutating func makeSpace(for sighting: Sighting) -> Bool {
        let cost = TrackedSighting.cost(of: sighting)
        while table.quota.bytes + cost > limits.sightingBytes {
            guard table.evictOldest() else { return false }
            counters.evicted += 1
        }
        return true
    }

    private mutating func forgetStale(of source: SourceName) {
        // A comparison that looked up both ranks would copy this value each time.
        let holders = holders(of: source).map { (mergeRank($0).1, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        for holder in holders {
            let stale = table.look(at: holder) { facts in
                facts.seen.filter { $0.isStale && $0.sighting.key.source == source }.map(\.sighting.key)
            }
            for key in stale ?? [] { table.take(key, from: holder) }
        }
        for holder in holders { releaseOthers(of: holder) }
        for awaited in table.all.filter({ $0.isAwaited && $0.memory?.source == source }).map(\.id) {
            table.willChange(awaited)
            table.editUnindexed(awaited) { $0.isAwaited = false }
        }
    }

    private mutating func markStale(_ id: EndpointID, where isLost: (Sighting.Key) -> Bool) {
        table.willChange(id)
        table.editUnindexed(id) { $0.markStale(where: isLost) }
    }

    private func holders(of source: SourceName) -> [EndpointID] {
        table.all.compactMap { facts in
            facts.seen.contains { $0.sighting.key.source == source } ? facts.id : nil
        }
    }

    private func holder(of key: Sighting.Key) -> EndpointID? {
        holder(of: key, named: InstanceName(key.instance))
    }

    private func holder(of key: Sighting.Key, named name: InstanceName) -> EndpointID? {
        table.endpoints(named: name).first { table.look(at: $0) { $0.holds(key) } == true }
    }
}

/// The assignment of sightings to endpoints.
extension RegistryState {
    /// Assigns a sighting to its endpoint, and removes it from its previous one.
    mutating func place(_ new: TrackedSighting) {
        let fitting = matches(for: new)
        guard let holder = holder(of: new.sighting.key, named: new.name), holder != fitting.first else {
            return assign(new, to: fitting)
        }
        table.take(new.sighting.key, from: holder)
        assign(new, to: fitting)
        releaseOthers(of: holder)
    }

    /// Assigns the sightings of an entry again if none of them is on its port.
    private mutating func releaseOthers(of id: EndpointID) {
        guard let others = table.look(at: id, { $0.isAnnouncedElsewhere ? $0.seen : [] }), !others.isEmpty else {
            return
        }
        for seen in others { table.take(seen.sighting.key, from: id) }
        for seen in others { place(seen) }
    }

    /// - Parameter fitting: the endpoints that the sighting fits, the best one first.
    private mutating func assign(_ new: TrackedSighting, to fitting: [EndpointID]) {
        let key = new.sighting.key
        guard let home = fitting.first else {
            if !createEndpoint(for: new) { counters.dropped += 1 }
            return
        }
        guard hasSpace(home, for: key) else {
            counters.dropped += 1
            table.recordDrop(of: new.name)
            return
        }
        table.edit(home) { $0.put(new) }
        for other in fitting.dropFirst() where mayTakeOver(other, by: home, for: new) { takeOver(other, by: home) }
    }

    /// Returns the endpoints that a sighting fits, the best one first.
    private func matches(for new: TrackedSighting) -> [EndpointID] {
        let naming = table.entry(naming: new.places)
        var fitting = table.endpoints(named: new.name).filter { table.look(at: $0) { $0.knows(new) } == true }
        if let occupant = table.firstEndpoint(at: new.addressPlace), !fitting.contains(occupant),
            table.look(at: occupant, { $0.sources.contains(new.sighting.key.source) }) == false
        {
            fitting.append(occupant)
        }
        fitting.removeAll { table.look(at: $0) { $0.mayHold(new) } == false }
        if let naming { fitting.removeAll { $0 == naming } }
        if fitting.count > 1 { fitting.sort { mergeRank($0) < mergeRank($1) } }
        return (naming.map { [$0] } ?? []) + fitting
    }

    func mergeRank(_ id: EndpointID) -> (Int, UInt64) {
        table.look(at: id) { ($0.isKept ? 0 : 1, $0.number) } ?? (2, .max)
    }

    private func mayTakeOver(_ other: EndpointID, by home: EndpointID, for new: TrackedSighting) -> Bool {
        guard let taken = table[other], let taker = table[home], !taken.isKept,
            taken.seen.count + taker.seen.count <= limits.sightingsPerEndpoint
        else { return false }
        let isNamed = taker.entry?.place.map(new.places.contains) ?? false
        return isNamed || taken.names.contains(where: taker.names.contains)
            || !taken.sources.contains(where: taker.sources.contains)
    }

    private mutating func takeOver(_ other: EndpointID, by home: EndpointID) {
        let seen = table[other]?.seen ?? []
        table.drop(other)
        table.edit(home) { facts in
            for seen in seen { facts.put(seen) }
        }
    }

    private func hasSpace(_ id: EndpointID, for key: Sighting.Key) -> Bool {
        table.look(at: id) { $0.seen.count < limits.sightingsPerEndpoint || $0.holds(key) } ?? false
    }

    /// Makes an endpoint for a sighting that fits none. Returns false if there is no capacity.
    private mutating func createEndpoint(for new: TrackedSighting) -> Bool {
        let instance = new.sighting.key.instance
        guard table.endpoints(named: new.name).count < limits.endpointsPerName else {
            table.recordDrop(of: new.name)
            return false
        }
        guard table.admits(new.host) else {
            table.recordDrop()
            return false
        }
        var id = deriveID(instance, nil)
        if table.contains(id) {
            id = deriveID(instance, new.host)
            guard !table.contains(id) else { return false }
        }
        if table.makeSpace() { counters.evicted += 1 }
        var facts = EndpointFacts(id: id, number: makeNumber(), discoveredAt: new.host)
        facts.put(new)
        table.insert(facts)
        return true
    }
}
