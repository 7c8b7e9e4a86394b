// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What sources say.
extension RegistryState {
    /// Applies an event, and returns what it changed. `settled` and `source` speak of the sightings of this one source; a
    /// sighting of another one is ignored.
    ///
    /// - Parameter pending: as in `recording`.
    mutating func apply(
        _ event: SightingEvent,
        from source: SourceName,
        beside pending: PendingChanges? = nil
    ) -> StateChanges {
        recording(beside: pending) { $0.perform(event, from: source) }.changes
    }

    private mutating func perform(_ event: SightingEvent, from source: SourceName) {
        switch event {
        case .sighted(let sighting):
            if sighting.key.source == source { sighted(sighting) }
        case .vanished(let key):
            if key.source == source, let holder = holder(of: key) { take(key, from: holder) }
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

    /// Something of this source is known only from before it went away.
    func hasStale(of source: SourceName) -> Bool {
        facts.values.contains { facts in
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
        guard makeRoom(for: sighting) else {
            counters.dropped += 1
            return
        }
        place(new)
    }

    private func seen(_ key: Sighting.Key, named name: InstanceName) -> TrackedSighting? {
        guard let holder = holder(of: key, named: name) else { return nil }
        return look(at: holder) { facts in facts.seen.first { $0.sighting.key == key } } ?? nil
    }

    /// - Returns: nil for what cannot be a server's announcement.
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

    /// Evicts discovered endpoints until a sighting fits; false if it does not even then.
    private mutating func makeRoom(for sighting: Sighting) -> Bool {
        let cost = TrackedSighting.cost(of: sighting)
        while quota.bytes + cost > limits.sightingBytes {
            guard evictOldest() else { return false }
        }
        return true
    }

    private mutating func forgetStale(of source: SourceName) {
        for holder in holders(of: source) {
            let stale = facts[holder]?.seen.filter { $0.isStale && $0.sighting.key.source == source } ?? []
            for seen in stale { take(seen.sighting.key, from: holder) }
        }
        for awaited in facts.values where awaited.isAwaited && awaited.memory?.source == source {
            willChange(awaited.id)
            facts[awaited.id]?.isAwaited = false
        }
    }

    private mutating func markStale(_ id: EndpointID, where isLost: (Sighting.Key) -> Bool) {
        willChange(id)
        facts[id]?.markStale(where: isLost)
    }

    private func holders(of source: SourceName) -> [EndpointID] {
        facts.values.compactMap { facts in
            facts.seen.contains { $0.sighting.key.source == source } ? facts.id : nil
        }
    }

    private func holder(of key: Sighting.Key) -> EndpointID? {
        holder(of: key, named: InstanceName(key.instance))
    }

    func holder(of key: Sighting.Key, named name: InstanceName) -> EndpointID? {
        endpointsByName[name]?.first { look(at: $0) { $0.holds(key) } == true }
    }
}

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
        if let occupant = endpointsByAddress[new.addressPlace]?.first, !fitting.contains(occupant),
            look(at: occupant, { $0.sources.contains(new.sighting.key.source) }) == false
        {
            fitting.append(occupant)
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
