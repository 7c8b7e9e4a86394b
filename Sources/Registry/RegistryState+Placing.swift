// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Which endpoint a sighting belongs to.
extension RegistryState {
    /// Puts a sighting where it belongs, and takes it away from where it was.
    mutating func place(_ new: TrackedSighting) {
        let key = new.sighting.key
        let fitting = matches(for: new)
        let holder = holder(of: key, named: new.name)
        if let holder, holder != fitting.first { take(key, from: holder) }
        guard let home = fitting.first else {
            if !createEndpoint(for: new) { counters.dropped += 1 }
            return
        }
        guard hasRoom(home, for: key) else {
            counters.dropped += 1
            overflow.recordDrop(of: new.name)
            return
        }
        edit(home) { $0.put(new) }
        for other in fitting.dropFirst() where mayTakeOver(other, by: home, for: new) { takeOver(other, by: home) }
    }

    /// The endpoints that a sighting fits, the best one first.
    private func matches(for new: TrackedSighting) -> [EndpointID] {
        let naming =
            entriesByAddress.isEmpty ? nil : new.places.flatMap { entriesByAddress[$0] ?? [] }.min { $0.text < $1.text }
        var fitting = (endpointsByName[new.name] ?? []).filter { look(at: $0) { $0.knows(new) } == true }
        if let tenant = endpointsByAddress[new.addressPlace]?.first, !fitting.contains(tenant),
            look(at: tenant, { $0.sources.contains(new.sighting.key.source) }) == false
        {
            fitting.append(tenant)
        }
        if let naming { fitting.removeAll { $0 == naming } }
        if fitting.count > 1 { fitting.sort { mergeRank($0) < mergeRank($1) } }
        return (naming.map { [$0] } ?? []) + fitting
    }

    func mergeRank(_ id: EndpointID) -> (Int, UInt64) {
        guard let facts = facts[id] else { return (2, .max) }
        return (facts.isKept ? 0 : 1, facts.number)
    }

    private func mayTakeOver(_ other: EndpointID, by home: EndpointID, for new: TrackedSighting) -> Bool {
        guard let taken = facts[other], let taker = facts[home], !taken.isKept,
            taken.seen.count + taker.seen.count <= limits.sightingsPerEndpoint
        else { return false }
        let isNamed = taker.entry?.place.map(new.places.contains) ?? false
        return isNamed || taken.names.contains(where: taker.names.contains)
            || !taken.sources.contains(where: taker.sources.contains)
    }

    private mutating func takeOver(_ other: EndpointID, by home: EndpointID) {
        let seen = facts[other]?.seen ?? []
        drop(other)
        edit(home) { facts in
            for seen in seen { facts.put(seen) }
        }
    }

    private func hasRoom(_ id: EndpointID, for key: Sighting.Key) -> Bool {
        look(at: id) { $0.seen.count < limits.sightingsPerEndpoint || $0.holds(key) } ?? false
    }

    /// Makes an endpoint for a sighting that fits none; false if there is no capacity.
    private mutating func createEndpoint(for new: TrackedSighting) -> Bool {
        let instance = new.sighting.key.instance
        guard endpointsByName[new.name, default: []].count < limits.endpointsPerName else {
            overflow.recordDrop(of: new.name)
            return false
        }
        guard quota.admits(new.host, limit: limits.discovered) else {
            overflow.recordDrop(beside: quota.discovered)
            return false
        }
        var id = deriveID(instance, nil)
        if facts.keys.contains(id) {
            id = deriveID(instance, new.host)
            guard !facts.keys.contains(id) else { return false }
        }
        if quota.discovered >= limits.discovered { _ = evictOldest() }
        quota.compact(where: isDiscovered(facts))
        clock += 1
        var facts = EndpointFacts(id: id, number: clock, discoveredAt: new.host)
        facts.put(new)
        insert(facts)
        return true
    }

    /// Evicts the oldest discovered endpoint. Returns false if there is none.
    mutating func evictOldest() -> Bool {
        guard let id = quota.oldest(where: isDiscovered(facts)) else { return false }
        counters.evicted += 1
        overflow.recordDrop(beside: quota.discovered)
        drop(id)
        return true
    }
}

private func isDiscovered(_ facts: [EndpointID: EndpointFacts]) -> (UInt64, EndpointID) -> Bool {
    { number, id in facts[id].map { $0.number == number && !$0.isKept } ?? false }
}
