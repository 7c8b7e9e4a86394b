// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What users do, and what is kept for them.
extension RegistryState {
    /// Adds a server. Where it is announced already, the endpoint keeps its id.
    ///
    /// - Parameter id: the id to use where no announcement has one.
    /// - Returns: the id that it has.
    mutating func add(_ entry: ManualEntry, id fresh: EndpointID) throws(RegistryError) -> EndpointID {
        guard EndpointName.isValid(entry.name) else { throw .invalidName(entry.name) }
        let entries = facts.values.compactMap(\.entry)
        guard entries.count < limits.kept else { throw .full(limit: limits.kept) }
        guard !hasEntry(named: entry.name) else { throw .nameTaken(entry.name) }
        if let twin = entries.first(where: { $0.url == entry.url }) { throw .alreadyAdded(name: twin.name) }
        let named = sightings(at: entry.place)
        let announced = named.map(\.holder).filter { facts[$0]?.entry == nil }
        let id = announced.min { mergeRank($0) < mergeRank($1) } ?? fresh
        if facts[id] == nil {
            insertKept(id) { $0.entry = entry }
        } else {
            edit(id) { $0.entry = entry }
        }
        expedite(id)
        for (_, seen) in named { place(seen) }
        return id
    }

    /// By which id an endpoint from elsewhere is known here already: its own, or that of the one with the same URL.
    func known(_ url: ServerURL, id: EndpointID) -> EndpointID? {
        facts[id] != nil ? id : endpoints.first { $0.url == url }?.id
    }

    /// Puts in a server that the administrator laid down, over what the user saved under the same id.
    mutating func configure(_ entry: ManualEntry, id: EndpointID) {
        var saved = saved(id)
        saved.entry = entry
        restore(saved)
    }

    func hasEntry(named name: String) -> Bool { facts.values.contains { $0.entry?.name == name } }

    var configured: Set<EndpointID> {
        Set(facts.values.filter { $0.entry?.isConfigured == true }.map(\.id))
    }

    /// Takes out a server that the administrator no longer lays down.
    mutating func withdraw(_ id: EndpointID) {
        var saved = saved(id)
        saved.entry = nil
        restore(saved)
    }

    /// What would survive a restart of this endpoint.
    func saved(_ id: EndpointID) -> SavedEndpoint {
        SavedEndpoint(
            id: id,
            entry: facts[id]?.entry,
            memory: facts[id]?.memory,
            settings: settings[id] ?? EndpointSettings()
        )
    }

    /// All that survives a restart and is the user's, by id.
    var savedEndpoints: [SavedEndpoint] {
        Set(facts.values.filter(\.isKept).map(\.id)).union(settings.keys).map { id in
            var saved = saved(id)
            if saved.entry?.isConfigured == true { saved.entry = nil }
            return saved
        }.filter { !$0.isEmpty }.sorted { $0.id.text < $1.id.text }
    }

    /// Makes an endpoint what it was, as it was saved or before a change that failed. Its sightings go where they belong
    /// then.
    ///
    /// - Parameter isAwaited: it is from before the daemon started, and its source has not spoken yet.
    mutating func restore(_ saved: SavedEndpoint, isAwaited: Bool = false) {
        let id = saved.id
        willChange(id)
        settings[id] = saved.settings.isEmpty ? nil : saved.settings
        noteStaleTarget(id)
        guard facts[id]?.entry != saved.entry || (facts[id]?.memory == nil) != (saved.memory == nil) else {
            return
        }
        let own = facts[id]?.seen ?? []
        drop(id)
        if saved.entry != nil || saved.memory != nil {
            insertKept(id) { facts in
                facts.entry = saved.entry
                facts.memory = saved.memory
                facts.isAwaited = isAwaited
            }
        }
        for seen in own.sorted(by: { $0.order < $1.order }) { place(seen) }
        for (_, seen) in sightings(at: saved.entry?.place) { place(seen) }
    }

    /// Forgets that an endpoint was added or used, and what was set for it; what is announced stays as discovered.
    mutating func remove(_ id: EndpointID) throws(RegistryError) {
        guard let endpoint = endpoint(id) else { throw .notFound(reference: id.text) }
        guard facts[id]?.entry?.isConfigured != true else { throw .configured(name: endpoint.name) }
        guard !saved(id).isEmpty else { throw .notManual(name: endpoint.name) }
        restore(SavedEndpoint(id: id))
    }

    /// Gives an endpoint that the user added another name.
    mutating func rename(_ id: EndpointID, to name: String) throws(RegistryError) {
        guard EndpointName.isValid(name) else { throw .invalidName(name) }
        guard let endpoint = endpoint(id) else { throw .notFound(reference: id.text) }
        guard let entry = facts[id]?.entry else { throw .namedByServer(name: endpoint.name) }
        guard !entry.isConfigured else { throw .configured(name: endpoint.name) }
        guard entry.name == name || !hasEntry(named: name) else { throw .nameTaken(name) }
        edit(id) { $0.entry?.name = name }
    }

    mutating func set(_ id: EndpointID, _ newer: EndpointSettings) throws(RegistryError) {
        guard facts[id] != nil else { throw .notFound(reference: id.text) }
        let old = settings[id] ?? EndpointSettings()
        let new = old.merged(with: newer)
        guard settings[id] != nil || settings.count < 2 * limits.kept else { throw .full(limit: 2 * limits.kept) }
        willChange(id)
        settings[id] = new.isEmpty ? nil : new
        noteStaleTarget(id)
        // What was met is of another address, or not looked for any more.
        let isElsewhere = (new.scheme, new.path, new.probe) != (old.scheme, old.path, old.probe)
        if isElsewhere { facts[id]?.reachability = nil }
    }

    /// Keeps an endpoint in the list that was only discovered so far, because somebody uses it, and takes down where it
    /// is used.
    mutating func remember(_ id: EndpointID) {
        guard let used = facts[id], !used.seen.isEmpty,
            used.memory != nil || facts.values.count(where: { $0.memory != nil }) < limits.kept
        else { return }
        edit(id) { $0.remember() }
        expedite(id)
    }

    private mutating func insertKept(_ id: EndpointID, _ fill: (inout EndpointFacts) -> Void) {
        clock += 1
        var kept = EndpointFacts(id: id, number: clock)
        fill(&kept)
        insert(kept)
    }

    private func sightings(at place: HostAndPort?) -> [(holder: EndpointID, seen: TrackedSighting)] {
        guard let place else { return [] }
        let found = facts.values.flatMap { facts in
            facts.seen.filter { $0.places.contains(place) }.map { (facts.id, $0) }
        }
        return found.sorted { $0.1.order < $1.1.order }
    }
}
