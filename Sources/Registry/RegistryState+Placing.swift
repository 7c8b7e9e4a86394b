// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Which endpoint a sighting belongs to.
extension RegistryState {
    /// Puts a sighting where it belongs, and takes it away from where it was.
    mutating func place(_ new: Seen) {
        let key = new.sighting.key
        let fitting = fitting(new)
        let holder = holder(of: key, named: new.name)
        if let holder, holder != fitting.first { take(key, from: holder) }
        guard let home = fitting.first else {
            if !found(new) { counters.dropped += 1 }
            return
        }
        guard hasRoom(home, for: key) else {
            counters.dropped += 1
            shortage.leftOut(new.name)
            return
        }
        edit(home) { $0.put(new) }
        for other in fitting.dropFirst() where mayTakeOver(other, by: home, for: new) { takeOver(other, by: home) }
    }

    /// The endpoints that a sighting fits, the best one first.
    private func fitting(_ new: Seen) -> [EndpointID] {
        let naming = namers.isEmpty ? nil : new.places.flatMap { namers[$0] ?? [] }.min { $0.text < $1.text }
        var fitting = (bearers[new.name] ?? []).filter { look(at: $0) { $0.knows(new) } == true }
        if let tenant = tenants[new.addressPlace]?.first, !fitting.contains(tenant),
            look(at: tenant, { $0.sources.contains(new.sighting.key.source) }) == false
        {
            fitting.append(tenant)
        }
        if let naming { fitting.removeAll { $0 == naming } }
        if fitting.count > 1 { fitting.sort { seniority($0) < seniority($1) } }
        return (naming.map { [$0] } ?? []) + fitting
    }

    func seniority(_ id: EndpointID) -> (Int, UInt64) {
        guard let facts = facts[id] else { return (2, .max) }
        return (facts.isKept ? 0 : 1, facts.number)
    }

    private func mayTakeOver(_ other: EndpointID, by home: EndpointID, for new: Seen) -> Bool {
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

    /// Makes an endpoint for a sighting that fits none; false if there is no room.
    private mutating func found(_ new: Seen) -> Bool {
        let instance = new.sighting.key.instance
        guard bearers[new.name, default: []].count < limits.endpointsPerName else {
            shortage.leftOut(new.name)
            return false
        }
        guard room.isOpen(to: new.host, of: limits.discovered) else {
            shortage.leftOut(beside: room.discovered)
            return false
        }
        var id = deriveID(instance, nil)
        if facts.keys.contains(id) {
            id = deriveID(instance, new.host)
            guard !facts.keys.contains(id) else { return false }
        }
        if room.discovered >= limits.discovered { _ = evictOldest() }
        room.moveUp(where: isDiscovered(facts))
        clock += 1
        var facts = EndpointFacts(id: id, number: clock, finder: new.host)
        facts.put(new)
        insert(facts)
        return true
    }

    /// Puts out the discovered endpoint that came first; false if there is none.
    mutating func evictOldest() -> Bool {
        guard let id = room.oldest(where: isDiscovered(facts)) else { return false }
        counters.evicted += 1
        shortage.leftOut(beside: room.discovered)
        drop(id)
        return true
    }
}

private func isDiscovered(_ facts: [EndpointID: EndpointFacts]) -> (UInt64, EndpointID) -> Bool {
    { number, id in facts[id].map { $0.number == number && !$0.isKept } ?? false }
}
