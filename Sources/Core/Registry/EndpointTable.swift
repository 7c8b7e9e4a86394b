// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The endpoints and the settings of them, with the indexes and the account of capacity that follow from them. Records
/// what changes.
struct EndpointTable: Sendable {
    private let limits: RegistryLimits
    private var facts: [EndpointID: EndpointFacts] = [:]
    /// What was set for an endpoint does not make it exist.
    private var settings: [EndpointID: EndpointSettings] = [:]
    /// The endpoints with an instance name.
    private var endpointsByName: [InstanceName: [EndpointID]] = [:]
    /// The endpoints sighted at an address and port, in the order in which they came.
    private var endpointsByAddress: [HostAndPort: [EndpointID]] = [:]
    /// The entries that name a host or address, and a port.
    private var entriesByAddress: [HostAndPort: Set<EndpointID>] = [:]
    private(set) var quota = DiscoveryQuota()
    private var overflow = OverflowTracker()

    /// While it stays the same, so does every endpoint.
    private(set) var edition: UInt64 = 0
    /// Made since `beginRecording`.
    private var changes = StateChanges()
    /// Changes of earlier calls, while changes are recorded; nil where changes are only counted.
    private var pending: PendingChanges?

    init(limits: RegistryLimits) {
        self.limits = limits
    }

    // MARK: Reading

    /// A copy, which counts up all that it refers to: `look` is cheaper.
    subscript(id: EndpointID) -> EndpointFacts? { facts[id] }

    /// In no order. To be used up before the next change, which would copy all of them otherwise.
    var all: Dictionary<EndpointID, EndpointFacts>.Values { facts.values }

    var ids: [EndpointID] { Array(facts.keys) }

    var count: Int { facts.count }

    func contains(_ id: EndpointID) -> Bool { facts.index(forKey: id) != nil }

    /// Looks at what is known of an endpoint where it is kept.
    func look<Result>(at id: EndpointID, _ body: (EndpointFacts) -> Result) -> Result? {
        facts.index(forKey: id).map { body(facts.values[$0]) }
    }

    /// nil if nothing was set.
    func settings(of id: EndpointID) -> EndpointSettings? { settings[id] }

    var idsWithSettings: Dictionary<EndpointID, EndpointSettings>.Keys { settings.keys }

    func endpoint(_ id: EndpointID) -> Endpoint? { look(at: id, endpoint) ?? nil }

    func endpoint(_ facts: EndpointFacts) -> Endpoint? {
        facts.endpoint(
            settings[facts.id] ?? EndpointSettings(),
            isContested: facts.names.contains { (endpointsByName[$0]?.count ?? 0) > 1 }
        )
    }

    /// In the order in which they came.
    func endpoints(named name: InstanceName) -> [EndpointID] { endpointsByName[name] ?? [] }

    /// The one that was sighted first at an address and port.
    func firstEndpoint(at place: HostAndPort) -> EndpointID? { endpointsByAddress[place]?.first }

    /// The entry that names one of these, with the lowest ID.
    func entry(naming places: @autoclosure () -> [HostAndPort]) -> EndpointID? {
        guard !entriesByAddress.isEmpty else { return nil }
        return places().flatMap { entriesByAddress[$0] ?? [] }.min { $0.text < $1.text }
    }

    // MARK: Recording

    /// - Parameter pending: as in `RegistryState.recording`.
    mutating func beginRecording(beside pending: PendingChanges?) { self.pending = pending }

    /// What has changed since `beginRecording`. A shortage that has ended is returned once.
    mutating func takeChanges() -> StateChanges {
        changes.endsShortage = overflow.takeRecovery(with: quota.discovered)
        return changes
    }

    mutating func endRecording() {
        pending = nil
        changes = StateChanges()
    }

    /// To be called before anything of an endpoint changes, also when it does not exist yet: the endpoint is recorded as
    /// it is then.
    mutating func willChange(_ id: EndpointID) {
        edition += 1
        let isKept = look(at: id, \.isKept) ?? false
        if isKept || settings[id] != nil { changes.noteStaleTarget(id) }
        if changes.count(id, beside: pending) { changes.record(id, before: endpoint(id), isKept: isKept) }
    }

    /// Has a change sent before others, because a person has added or used the endpoint.
    mutating func expedite(_ id: EndpointID) { changes.expedite(id) }

    // MARK: Changes

    mutating func insert(_ new: EndpointFacts) {
        willChange(new.id)
        facts[new.id] = new
        note(from: nil, to: IndexKeys(new), of: new.id)
    }

    mutating func edit(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        willChange(id)
        // In place: facts are large, and a flood edits them ten thousand times.
        guard let index = facts.index(forKey: id) else { return }
        let old = IndexKeys(facts.values[index])
        change(&facts.values[index])
        note(from: old, to: IndexKeys(facts.values[index]), of: id)
    }

    /// As `edit`, for what no index depends on, and without `willChange`.
    mutating func editUnindexed(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        guard let index = facts.index(forKey: id) else { return }
        change(&facts.values[index])
    }

    mutating func drop(_ id: EndpointID) {
        willChange(id)
        guard let old = facts.removeValue(forKey: id) else { return }
        note(from: IndexKeys(old), to: nil, of: id)
    }

    /// Takes a sighting away from an endpoint, which goes if nothing else keeps it.
    mutating func take(_ key: Sighting.Key, from id: EndpointID) {
        edit(id) { $0.take(key) }
        if overflow.isOfNames { overflow.recordRemoval(of: InstanceName(key.instance)) }
        if look(at: id, { $0.seen.isEmpty && !$0.isKept }) == true { drop(id) }
    }

    /// Has the endpoint looked at by whoever probes.
    mutating func set(_ new: EndpointSettings, of id: EndpointID) {
        willChange(id)
        settings[id] = new.isEmpty ? nil : new
        changes.noteStaleTarget(id)
    }

    // MARK: Capacity

    /// Whether a host may have one more discovered endpoint.
    func admits(_ host: HostName) -> Bool { quota.admits(host, limit: limits.discovered) }

    /// Makes space for one more discovered endpoint. To be called before each `insert` of one.
    ///
    /// - Returns: whether another one was evicted for it.
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

    /// A discovered endpoint was dropped or evicted.
    mutating func recordDrop() { overflow.recordDrop(beside: quota.discovered) }

    /// A sighting with this name was dropped.
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
        if old?.memory != new?.memory { changes.noteUnsaved() }
        if new?.quotaEntry == nil, new != nil { changes.noteStaleTarget(id) }
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

/// Keys of one endpoint in the indexes.
private struct IndexKeys {
    let names: [InstanceName]
    let places: [HostAndPort]
    /// The place that its entry names.
    let named: HostAndPort?
    let memory: RememberedServer?
    /// nil for one that is kept, which takes no room of others.
    let quotaEntry: DiscoveryQuota.Entry?
    /// What its sightings take in memory, in bytes.
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
