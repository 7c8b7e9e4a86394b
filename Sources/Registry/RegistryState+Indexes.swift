// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The ways in which endpoints change. Each keeps the indexes up to date, and the account of capacity.
extension RegistryState {
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

    mutating func drop(_ id: EndpointID) {
        willChange(id)
        guard let old = facts.removeValue(forKey: id) else { return }
        note(from: IndexKeys(old), to: nil, of: id)
    }

    /// Takes a sighting away from an endpoint, which goes if nothing else keeps it.
    mutating func take(_ key: Sighting.Key, from id: EndpointID) {
        edit(id) { $0.take(key) }
        if overflow.isOfNames { overflow.recordRemoval(of: InstanceName(key.instance)) }
        if let left = facts[id], left.seen.isEmpty, !left.isKept { drop(id) }
    }

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
        if old?.memory != new?.memory { noteUnsaved() }
        if new?.quotaEntry == nil, new != nil { noteStaleTarget(id) }
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
        where !old.contains(place) && endpointsByAddress[place, default: []].count < limits.tenantsPerPlace {
            endpointsByAddress[place, default: []].append(id)
        }
    }
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
