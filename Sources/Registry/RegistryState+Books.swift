// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The ways in which endpoints change, each of which keeps the books: who bears a name, who is at a place, what room is
/// left.
extension RegistryState {
    mutating func insert(_ new: EndpointFacts) {
        willChange(new.id)
        facts[new.id] = new
        note(from: nil, to: Booked(new), of: new.id)
    }

    mutating func edit(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        willChange(id)
        // In place: facts are large, and a flood edits them ten thousand times.
        guard let index = facts.index(forKey: id) else { return }
        let old = Booked(facts.values[index])
        change(&facts.values[index])
        note(from: old, to: Booked(facts.values[index]), of: id)
    }

    mutating func drop(_ id: EndpointID) {
        willChange(id)
        guard let old = facts.removeValue(forKey: id) else { return }
        note(from: Booked(old), to: nil, of: id)
    }

    /// Takes a sighting away from an endpoint, which goes if nothing else keeps it.
    mutating func take(_ key: Sighting.Key, from id: EndpointID) {
        edit(id) { $0.take(key) }
        if shortage.isOfNames { shortage.eased(InstanceName(key.instance)) }
        if let left = facts[id], left.seen.isEmpty, !left.isKept { drop(id) }
    }

    private mutating func note(from old: Booked?, to new: Booked?, of id: EndpointID) {
        noteNames(old?.names ?? [], new?.names ?? [], of: id)
        notePlaces(old?.places ?? [], new?.places ?? [], of: id)
        if old?.named != new?.named {
            if let place = old?.named {
                namers[place]?.remove(id)
                if namers[place]?.isEmpty == true { namers[place] = nil }
            }
            if let place = new?.named { namers[place, default: []].insert(id) }
        }
        if old?.memory != new?.memory { noteUnsaved() }
        if new?.guest == nil, new != nil { noteStaleTarget(id) }
        room.bytes += (new?.cost ?? 0) - (old?.cost ?? 0)
        switch (old?.guest, new?.guest) {
        case (let guest?, nil): room.leave(guest)
        case (nil, let guest?): room.enter(guest)
        default: break
        }
    }

    private mutating func noteNames(_ old: [InstanceName], _ new: [InstanceName], of id: EndpointID) {
        guard old != new else { return }
        for name in old where !new.contains(name) {
            var left = bearers[name] ?? []
            left.removeAll { $0 == id }
            // Before the books change: what was told is what they say now.
            for other in left { willChange(other) }
            bearers[name] = left.isEmpty ? nil : left
            shortage.eased(name)
        }
        for name in new where !old.contains(name) {
            for other in bearers[name] ?? [] { willChange(other) }
            bearers[name, default: []].append(id)
        }
    }

    private mutating func notePlaces(_ old: [Place], _ new: [Place], of id: EndpointID) {
        guard old != new else { return }
        for place in old where !new.contains(place) {
            tenants[place]?.removeAll { $0 == id }
            if tenants[place]?.isEmpty == true { tenants[place] = nil }
        }
        for place in new where !old.contains(place) && tenants[place, default: []].count < limits.tenantsPerPlace {
            tenants[place, default: []].append(id)
        }
    }
}

/// What the books say of one endpoint.
private struct Booked {
    let names: [InstanceName]
    let places: [Place]
    /// The place that its entry names.
    let named: Place?
    let memory: RememberedServer?
    /// nil for one that is kept, which takes no room of others.
    let guest: Room.Guest?
    /// What its sightings take in memory, in bytes.
    let cost: Int

    init(_ facts: borrowing EndpointFacts) {
        names = facts.names
        places = facts.addressPlaces
        named = facts.entry?.place
        memory = facts.memory
        guest = facts.isKept ? nil : Room.Guest(id: facts.id, number: facts.number, finder: facts.finder)
        cost = facts.seen.reduce(0) { $0 + $1.cost }
    }
}
