// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The ways in which endpoints change, each of which keeps the books: who bears a name, who is at a place, what room is
/// left.
extension RegistryState {
    mutating func insert(_ new: EndpointFacts) {
        touch(new.id)
        facts[new.id] = new
        note(from: nil, to: new)
    }

    mutating func edit(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        touch(id)
        guard let old = facts.removeValue(forKey: id) else { return }
        var new = old
        change(&new)
        facts[id] = new
        note(from: old, to: new)
    }

    mutating func drop(_ id: EndpointID) {
        touch(id)
        guard let old = facts.removeValue(forKey: id) else { return }
        note(from: old, to: nil)
    }

    /// Takes a sighting away from an endpoint, which goes if nothing else keeps it.
    mutating func take(_ key: Sighting.Key, from id: EndpointID) {
        edit(id) { $0.take(key) }
        if let left = facts[id], left.seen.isEmpty, !left.isKept { drop(id) }
    }

    private mutating func note(from old: EndpointFacts?, to new: EndpointFacts?) {
        guard let id = new?.id ?? old?.id else { return }
        noteNames(old?.names ?? [], new?.names ?? [], of: id)
        notePlaces(old?.places ?? [], new?.places ?? [], of: id)
        if old?.entry?.place != new?.entry?.place {
            if let place = old?.entry?.place {
                namers[place]?.remove(id)
                if namers[place]?.isEmpty == true { namers[place] = nil }
            }
            if let place = new?.entry?.place { namers[place, default: []].insert(id) }
        }
        if old?.memory != new?.memory { isUnsaved = true }
        if new?.isKept == true { unreviewed.insert(id) }
        room.bytes += (new?.cost ?? 0) - (old?.cost ?? 0)
        switch (old.map { !$0.isKept }, new.map { !$0.isKept }) {
        case (true?, let isDiscovered?) where !isDiscovered: old.map { room.leave($0) }
        case (true?, nil): old.map { room.leave($0) }
        case (nil, true?), (false?, true?): new.map { room.enter($0) }
        default: break
        }
    }

    private mutating func noteNames(_ old: Set<InstanceName>, _ new: Set<InstanceName>, of id: EndpointID) {
        guard old != new else { return }
        for name in old.subtracting(new) {
            var left = bearers[name] ?? []
            left.removeAll { $0 == id }
            // Before the books change: what was told is what they say now.
            for other in left { touch(other) }
            bearers[name] = left.isEmpty ? nil : left
        }
        for name in new.subtracting(old) {
            for other in bearers[name] ?? [] { touch(other) }
            bearers[name, default: []].append(id)
        }
    }

    private mutating func notePlaces(_ old: Set<Place>, _ new: Set<Place>, of id: EndpointID) {
        guard old != new else { return }
        for place in old.subtracting(new) where tenants[place] == id { tenants[place] = nil }
        for place in new.subtracting(old) where tenants[place] == nil { tenants[place] = id }
    }
}

extension EndpointFacts {
    fileprivate var cost: Int { seen.reduce(0) { $0 + $1.cost } }
}
