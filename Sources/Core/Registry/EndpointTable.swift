// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The endpoints and their settings, with the indexes and the used capacity that are derived from them. Records
/// changes.
struct EndpointTable: Sendable {
    private let limits: RegistryLimits
    private let types: ServiceTypeSettings
    private var facts: [EndpointID: EndpointFacts] = [:]
    /// The settings of endpoints. Settings alone do not create an endpoint.
    private var settings: [EndpointID: EndpointSettings] = [:]
    /// The endpoints with each instance name.
    private var endpointsByName: [InstanceName: [EndpointID]] = [:]
    /// The endpoints that were sighted at each address and port, in the order in which they appeared.
    private var endpointsByAddress: [HostAndPort: [EndpointID]] = [:]
    /// The entries that name each host or address, and port.
    private var entriesByAddress: [HostAndPort: Set<EndpointID>] = [:]
    private(set) var quota = DiscoveryQuota()
    private var overflow = OverflowTracker()

    /// The version of the table. While it stays the same, every endpoint stays the same.
    private(set) var edition: UInt64 = 0
    /// The changes for watchers.
    var pending = PendingChanges()
    /// The effects since `takeEffects`.
    private var effects = TableEffects()

    init(limits: RegistryLimits, types: ServiceTypeSettings = ServiceTypeSettings()) {
        self.limits = limits
        self.types = types
    }

    // MARK: Reading

    /// Returns a copy, which increases the reference counts of its members. `look` is cheaper.
    subscript(id: EndpointID) -> EndpointFacts? { facts[id] }

    /// All endpoints, in no order. Release the collection before the next change, because that change would copy all of
    /// them otherwise.
    var all: Dictionary<EndpointID, EndpointFacts>.Values { facts.values }

    var ids: [EndpointID] { Array(facts.keys) }

    var count: Int { facts.count }

    func contains(_ id: EndpointID) -> Bool { facts.index(forKey: id) != nil }

    /// Calls `body` with the stored facts of an endpoint, without a copy.
    func look<Result>(at id: EndpointID, _ body: (EndpointFacts) -> Result) -> Result? {
        facts.index(forKey: id).map { body(facts.values[$0]) }
    }

    /// Returns the settings of an endpoint; nil if nothing was set.
    func settings(of id: EndpointID) -> EndpointSettings? { settings[id] }

    var idsWithSettings: Dictionary<EndpointID, EndpointSettings>.Keys { settings.keys }

    func endpoint(_ id: EndpointID) -> Endpoint? { look(at: id, endpoint) ?? nil }

    func endpoint(_ facts: EndpointFacts) -> Endpoint? {
        facts.endpoint(
            settings[facts.id] ?? EndpointSettings(),
            types: types,
            isContested: facts.names.contains { isContested($0, for: facts) }
        )
    }

    /// Whether another endpoint has an instance name. An entry keeps its port, so the same server on another port is not
    /// another one that borrows the name.
    private func isContested(_ name: InstanceName, for facts: EndpointFacts) -> Bool {
        guard let named = endpointsByName[name], named.count > 1 else { return false }
        return named.contains { other in
            other != facts.id
                && look(at: other) { (facts.entry ?? $0.entry) == nil || !facts.isAtHost(of: $0) } == true
        }
    }

    /// Returns the endpoints with an instance name, in the order in which they appeared.
    func endpoints(named name: InstanceName) -> [EndpointID] { endpointsByName[name] ?? [] }

    /// Returns the endpoint that was sighted first at an address and port.
    func firstEndpoint(at place: HostAndPort) -> EndpointID? { endpointsByAddress[place]?.first }

    /// Returns the endpoint with the lowest ID whose entry names one of these.
    func entry(naming places: @autoclosure () -> [HostAndPort]) -> EndpointID? {
        guard !entriesByAddress.isEmpty else { return nil }
        return places().flatMap { entriesByAddress[$0] ?? [] }.min { $0.text < $1.text }
    }

    // MARK: Recording

    /// Returns the effects of the changes since the last call. The end of a shortage is returned once.
    mutating func takeEffects() -> TableEffects {
        defer { effects = TableEffects() }
        effects.endsShortage = overflow.takeRecovery(with: quota.discovered)
        return effects
    }

    /// Records an endpoint as it is before a change. Call it before each change of an endpoint, also if the endpoint
    /// does not exist yet.
    mutating func willChange(_ id: EndpointID) {
        edition += 1
        let isKept = look(at: id, \.isKept) ?? false
        if isKept || settings[id] != nil { effects.staleTargets.insert(id) }
        if pending.count(id) { pending.record(id, before: endpoint(id), isKept: isKept) }
    }

    /// Records the other endpoints with a name of this one. Call it before the endpoint gets an entry, because entries decide
    /// about conflicts.
    mutating func willChangeNamesakes(of id: EndpointID) {
        for name in look(at: id, \.names) ?? [] {
            for other in endpointsByName[name] ?? [] where other != id { willChange(other) }
        }
    }

    /// Removes and returns the next difference between the table and the state that watchers have; nil if there is none.
    ///
    /// - Parameter onlyUrgent: whether to skip endpoints that the user neither added nor used.
    mutating func nextChange(onlyUrgent: Bool = false) -> RegistryChange? {
        while let (id, sent) = pending.next(onlyUrgent: onlyUrgent) {
            switch (sent, endpoint(id)) {
            case (nil, let new?): return .added(new)
            case (let old?, nil): return .removed(old)
            case (let old?, let new?) where old != new: return .changed(new)
            default: continue
            }
        }
        return nil
    }

    /// The list as watchers have it.
    var sentEndpoints: EndpointList { EndpointList(self, besides: pending.lastSent) }

    /// An endpoint as watchers have it; nil if they do not know it.
    func sentEndpoint(_ id: EndpointID) -> Endpoint? { pending.lastSent[id] ?? endpoint(id) }

    // MARK: Changes

    mutating func insert(_ new: EndpointFacts) {
        willChange(new.id)
        facts[new.id] = new
        note(from: nil, to: IndexKeys(new), of: new.id)
    }

    mutating func edit(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        willChange(id)
        // Edited in place, because facts are large and a flood edits them ten thousand times.
        guard let index = facts.index(forKey: id) else { return }
        let old = IndexKeys(facts.values[index])
        // The host decides whether an entry and another endpoint with its name are in conflict.
        for name in old.names where (endpointsByName[name]?.count ?? 0) > 1 {
            for other in endpointsByName[name] ?? []
            where other != id && (old.quotaEntry == nil || look(at: other, \.isKept) == true) { willChange(other) }
        }
        change(&facts.values[index])
        note(from: old, to: IndexKeys(facts.values[index]), of: id)
    }

    /// Like `edit`, for members that no index depends on, and without `willChange`.
    mutating func editUnindexed(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        guard let index = facts.index(forKey: id) else { return }
        change(&facts.values[index])
    }

    mutating func drop(_ id: EndpointID) {
        willChange(id)
        guard let old = look(at: id, { IndexKeys($0) }) else { return }
        // Before the facts are removed: the other endpoints with its names are recorded as they are, which is computed from
        // them.
        note(from: old, to: nil, of: id)
        facts[id] = nil
    }

    /// Removes a sighting from an endpoint. The endpoint is dropped if nothing else keeps it.
    mutating func take(_ key: Sighting.Key, from id: EndpointID) {
        edit(id) { $0.take(key) }
        if overflow.isOfNames { overflow.recordRemoval(of: InstanceName(key.instance)) }
        if look(at: id, { $0.seen.isEmpty && !$0.isKept }) == true { drop(id) }
    }

    /// Replaces the settings of an endpoint, and marks it for the liveness monitor.
    mutating func set(_ new: EndpointSettings, of id: EndpointID) {
        willChange(id)
        settings[id] = new.isEmpty ? nil : new
        effects.staleTargets.insert(id)
    }

    // MARK: Capacity

    /// Whether a host may have one more discovered endpoint.
    func admits(_ host: HostName) -> Bool { quota.admits(host, limit: limits.discovered) }

    /// Makes space for one more discovered endpoint. Call it before each `insert` of a discovered endpoint.
    ///
    /// - Returns: whether another endpoint was evicted for it.
    mutating func makeSpace() -> Bool {
        let isEvicted = quota.discovered >= limits.discovered && evictOldest()
        quota.compact(where: isDiscovered(facts))
        return isEvicted
    }

    /// Evicts the oldest discovered endpoint. Returns false if there is none.
    mutating func evictOldest() -> Bool {
        guard let id = quota.oldest(where: isDiscovered(facts)) else { return false }
        recordDrop()
        drop(id)
        return true
    }

    /// Records that a discovered endpoint was dropped or evicted.
    mutating func recordDrop() { overflow.recordDrop(beside: quota.discovered) }

    /// Records that a sighting with this name was dropped.
    mutating func recordDrop(of name: InstanceName) { overflow.recordDrop(of: name) }

    // MARK: Indexes

    private mutating func note(from old: IndexKeys?, to new: IndexKeys?, of id: EndpointID) {
        noteNames(old?.names ?? [], new?.names ?? [], of: id)
        notePlaces(old?.places ?? [], new?.places ?? [], of: id)
        if old?.named != new?.named {
            if let place = old?.named {
                entriesByAddress[place]?.remove(id)
                if entriesByAddress[place]?.isEmpty == true { entriesByAddress[place] = nil }
            }
            if let place = new?.named { entriesByAddress[place, default: []].insert(id) }
        }
        if old?.memory != new?.memory { effects.isUnsaved = true }
        if new?.quotaEntry == nil, new != nil { effects.staleTargets.insert(id) }
        quota.bytes += (new?.cost ?? 0) - (old?.cost ?? 0)
        switch (old?.quotaEntry, new?.quotaEntry) {
        case (let quotaEntry?, nil): quota.leave(quotaEntry)
        case (nil, let quotaEntry?): quota.enter(quotaEntry)
        default: break
        }
    }

    private mutating func noteNames(_ old: [InstanceName], _ new: [InstanceName], of id: EndpointID) {
        guard old != new else { return }
        for name in old where !new.contains(name) {
            var left = endpointsByName[name] ?? []
            left.removeAll { $0 == id }
            // Before the index changes: willChange() records the endpoint as it is, which it computes from the index.
            for other in left { willChange(other) }
            endpointsByName[name] = left.isEmpty ? nil : left
            overflow.recordRemoval(of: name)
        }
        for name in new where !old.contains(name) {
            for other in endpointsByName[name] ?? [] { willChange(other) }
            endpointsByName[name, default: []].append(id)
        }
    }

    private mutating func notePlaces(_ old: [HostAndPort], _ new: [HostAndPort], of id: EndpointID) {
        guard old != new else { return }
        for place in old where !new.contains(place) {
            endpointsByAddress[place]?.removeAll { $0 == id }
            if endpointsByAddress[place]?.isEmpty == true { endpointsByAddress[place] = nil }
        }
        for place in new
        where !old.contains(place) && endpointsByAddress[place, default: []].count < limits.endpointsPerAddress {
            endpointsByAddress[place, default: []].append(id)
        }
    }
}

private func isDiscovered(_ facts: [EndpointID: EndpointFacts]) -> (UInt64, EndpointID) -> Bool {
    { number, id in facts[id].map { $0.number == number && !$0.isKept } ?? false }
}

/// The keys of one endpoint in the indexes.
private struct IndexKeys {
    let names: [InstanceName]
    let places: [HostAndPort]
    /// The host and port that its entry names.
    let named: HostAndPort?
    let memory: RememberedServer?
    /// The quota entry; nil for an endpoint that is kept, which does not count toward the quota.
    let quotaEntry: DiscoveryQuota.Entry?
    /// The memory that its sightings take, in bytes.
    let cost: Int

    init(_ facts: borrowing EndpointFacts) {
        names = facts.names
        places = facts.addressPlaces
        named = facts.entry?.place
        memory = facts.memory
        quotaEntry =
            facts.isKept
            ? nil : DiscoveryQuota.Entry(id: facts.id, number: facts.number, discoveredAt: facts.discoveredAt)
        cost = facts.seen.reduce(0) { $0 + $1.cost }
    }
}
