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

    /// Puts out discovered endpoints until a sighting fits; false if it does not even then.
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
