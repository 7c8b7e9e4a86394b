// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The user's changes, and the data that is kept for users.
extension RegistryState {
    /// Adds a server. If it is announced already, the endpoint keeps its ID.
    ///
    /// - Parameter id: the ID to use if no announced endpoint has one.
    /// - Returns: the endpoint's ID.
    mutating func add(_ entry: ManualEntry, id fresh: EndpointID) throws(RegistryError) -> EndpointID {
        guard EndpointName.isValid(entry.name) else { throw .invalidName(entry.name) }
        let entries = table.all.compactMap(\.entry)
        guard entries.count < limits.kept else { throw .full(limit: limits.kept) }
        guard !hasEntry(named: entry.name) else { throw .nameTaken(entry.name) }
        if let twin = entries.first(where: { $0.url == entry.url }) { throw .alreadyAdded(name: twin.name) }
        let named = sightings(at: entry.place)
        let announced = named.map(\.holder).filter { self.entry(of: $0) == nil }
        let id = announced.min { mergeRank($0) < mergeRank($1) } ?? fresh
        if table.contains(id) {
            table.willChangeNamesakes(of: id)
            table.edit(id) { $0.entry = entry }
        } else {
            insertKept(id) { $0.entry = entry }
        }
        table.pending.expedite(id)
        for (_, seen) in named { place(seen) }
        return id
    }

    /// Returns the ID here of an endpoint of another vault: its own ID, or that of the endpoint with the same URL; nil
    /// if there is none.
    func known(_ url: ServerURL, id: EndpointID) -> EndpointID? {
        table.contains(id) ? id : endpoints.first { $0.url == url }?.id
    }

    /// Adds a server that the administrator configured, instead of an entry that the user saved under the same ID.
    mutating func configure(_ entry: ManualEntry, id: EndpointID) {
        var saved = saved(id)
        saved.entry = entry
        restore(saved)
    }

    func hasEntry(named name: String) -> Bool { table.all.contains { $0.entry?.name == name } }

    var configured: Set<EndpointID> {
        Set(table.all.filter { $0.entry?.isConfigured == true }.map(\.id))
    }

    /// Removes a server that the administrator no longer configures.
    mutating func withdraw(_ id: EndpointID) {
        var saved = saved(id)
        saved.entry = nil
        restore(saved)
    }

    /// The data of an endpoint that a restart keeps.
    func saved(_ id: EndpointID) -> SavedEndpoint {
        SavedEndpoint(
            id: id,
            entry: entry(of: id),
            memory: memory(of: id),
            settings: table.settings(of: id) ?? EndpointSettings()
        )
    }

    /// The user's data that a restart keeps, sorted by ID.
    var savedEndpoints: [SavedEndpoint] {
        let ids = Set(table.all.lazy.filter(\.isKept).map(\.id)).union(table.idsWithSettings)
        // Sorted first, because the rest of the data is large.
        return ids.sorted { $0.text < $1.text }.compactMap { id in
            var saved = saved(id)
            if saved.entry?.isConfigured == true { saved.entry = nil }
            return saved.isEmpty ? nil : saved
        }
    }

    /// Restores an endpoint as it was saved, or as it was before a change that failed. Then its sightings are assigned
    /// again.
    ///
    /// - Parameter isAwaited: the endpoint is from before the daemon started, and its source has reported nothing yet.
    mutating func restore(_ saved: SavedEndpoint, isAwaited: Bool = false) {
        let id = saved.id
        table.set(saved.settings, of: id)
        guard entry(of: id) != saved.entry || (memory(of: id) == nil) != (saved.memory == nil) else { return }
        let own = table[id]?.seen ?? []
        table.drop(id)
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

    /// Restores an endpoint as it was before a change that could not be saved, with the newest result of an attempt to reach
    /// it.
    mutating func undo(_ id: EndpointID, to before: RegistryState) {
        let newest = endpoint(id)?.url == before.endpoint(id)?.url ? table[id]?.reachability : nil
        restore(before.saved(id), isAwaited: before.table[id]?.isAwaited ?? false)
        guard let known = newest ?? before.table[id]?.reachability else { return }
        table.willChange(id)
        table.editUnindexed(id) { $0.reachability = known }
    }

    /// Removes the entry, the earlier use and the settings of an endpoint. An announced server stays in the list as
    /// discovered.
    mutating func remove(_ id: EndpointID) throws(RegistryError) {
        guard let endpoint = endpoint(id) else { throw .notFound(reference: id.text) }
        guard entry(of: id)?.isConfigured != true else { throw .configured(name: endpoint.name) }
        guard !saved(id).isEmpty else { throw .notManual(name: endpoint.name) }
        restore(SavedEndpoint(id: id))
    }

    /// Renames an endpoint that the user added.
    mutating func rename(_ id: EndpointID, to name: String) throws(RegistryError) {
        guard EndpointName.isValid(name) else { throw .invalidName(name) }
        guard let endpoint = endpoint(id) else { throw .notFound(reference: id.text) }
        guard let entry = entry(of: id) else { throw .namedByServer(name: endpoint.name) }
        guard !entry.isConfigured else { throw .configured(name: endpoint.name) }
        guard entry.name == name || !hasEntry(named: name) else { throw .nameTaken(name) }
        table.edit(id) { $0.entry?.name = name }
    }

    mutating func set(_ id: EndpointID, _ newer: EndpointSettings) throws(RegistryError) {
        guard table.contains(id) else { throw .notFound(reference: id.text) }
        let known = table.settings(of: id)
        let old = known ?? EndpointSettings()
        let new = old.merged(with: newer)
        guard known != nil || table.idsWithSettings.count < 2 * limits.kept else {
            throw .full(limit: 2 * limits.kept)
        }
        table.set(new, of: id)
        // The last result is of another address, or probes are off.
        let isElsewhere = (new.scheme, new.path, new.probe) != (old.scheme, old.path, old.probe)
        if isElsewhere { table.editUnindexed(id) { $0.reachability = nil } }
    }

    /// Keeps a discovered endpoint in the list because it is used now, and stores where it is used.
    mutating func remember(_ id: EndpointID) {
        guard let used = table[id], !used.seen.isEmpty,
            used.memory != nil || table.all.count(where: { $0.memory != nil }) < limits.kept
        else { return }
        table.edit(id) { $0.remember() }
        table.pending.expedite(id)
    }

    private mutating func insertKept(_ id: EndpointID, _ fill: (inout EndpointFacts) -> Void) {
        var kept = EndpointFacts(id: id, number: makeNumber())
        fill(&kept)
        table.insert(kept)
    }

    private func entry(of id: EndpointID) -> ManualEntry? { table.look(at: id, \.entry) ?? nil }

    private func memory(of id: EndpointID) -> RememberedServer? { table.look(at: id, \.memory) ?? nil }

    private func sightings(at place: HostAndPort?) -> [(holder: EndpointID, seen: TrackedSighting)] {
        guard let place else { return [] }
        let found = table.all.flatMap { facts in
            facts.seen.filter { $0.places.contains(place) }.map { (facts.id, $0) }
        }
        return found.sorted { $0.1.order < $1.1.order }
    }
}

/// The look-up of an endpoint by the text that the user types.
extension RegistryState {
    /// The minimum length of an ID's beginning. Shorter texts are names.
    private static let fewestDigits = 4

    /// Returns the endpoint with this ID, or the only one with this name: among those that were added, else among those
    /// that were used, else among those that were only discovered. An untrusted host may announce any name, and must
    /// not make the user's own names ambiguous.
    ///
    /// The beginning of an ID or a name is enough for endpoints that were added or used. An announcement of exactly
    /// that name makes the beginning ambiguous, so that it never selects an untrusted host. A text that selects nothing
    /// else may be a name as it is displayed.
    func find(_ reference: String) throws(RegistryError) -> Endpoint {
        if let id = EndpointID(reference), let endpoint = endpoint(id) { return endpoint }
        let named = table.all.filter { $0.name == reference }
        let added = named.filter { $0.entry != nil }
        let used = named.filter { $0.memory != nil }
        let found = [added, used].first { !$0.isEmpty } ?? named + begun(reference)
        // A name with control characters is shown escaped, and can be typed only so.
        let best = found.isEmpty ? table.all.filter { "\(Printable($0.name))" == reference } : found
        let candidates = EndpointList(best.compactMap(table.endpoint)).endpoints
        guard let first = candidates.first else {
            throw .notFound(reference: reference, nearest: nearest(to: reference))
        }
        guard candidates.count == 1 else {
            throw .ambiguous(reference: reference, candidates: candidates.map(\.id))
        }
        return first
    }

    /// Returns the name that is most similar to a text. Servers that were added or used come before untrusted hosts.
    private func nearest(to reference: String) -> String? {
        NearestName.find(reference, among: table.all.lazy.filter(\.isKept).map(\.name))
            ?? NearestName.find(reference, among: table.all.lazy.map(\.name))
    }

    /// Returns the endpoints that were added or used, and whose name or ID begins with the text.
    private func begun(_ reference: String) -> [EndpointFacts] {
        guard !reference.isEmpty else { return [] }
        let isLong = reference.utf8.count >= Self.fewestDigits
        let name = NameReference(reference)
        return table.all.filter { facts in
            facts.isKept && facts.name != reference
                && (name.begins(facts.name) || isLong && facts.id.text.hasPrefix(reference))
        }
    }
}

/// The results of calls and probes, and the choice of endpoints to probe.
extension RegistryState {
    /// Records the result of an attempt to reach an endpoint.
    ///
    /// - Parameter now: Unix seconds.
    /// - Returns: whether the shown result has changed.
    mutating func note(_ contact: Contact, for id: EndpointID, at now: Int64) -> Bool {
        guard let old = reachability(of: id) else {
            guard table.contains(id) else { return false }
            table.willChange(id)
            table.editUnindexed(id) { $0.reachability = Reachability(contact, at: now) }
            return true
        }
        var new = old
        new.record(contact, at: now)
        let isShown = new.contact != old.contact || new.isFromBefore != old.isFromBefore
        if isShown { table.willChange(id) }
        table.editUnindexed(id) { $0.reachability = new }
        return isShown
    }

    /// Whether the result need not be recorded.
    ///
    /// - Parameter now: Unix seconds.
    func knows(_ contact: Contact, of id: EndpointID, at now: Int64) -> Bool {
        reachability(of: id)?.isKnown(contact, at: now) ?? false
    }

    /// Forgets the last results of calls and probes, because the endpoint will be another server from now on.
    mutating func forgetContact(with id: EndpointID) {
        table.willChange(id)
        table.editUnindexed(id) { $0.reachability = nil }
    }

    /// Restores the reachability of an endpoint that an earlier run saved. A result of this run stays.
    mutating func restore(_ known: Reachability, for id: EndpointID) {
        guard reachability(of: id) == nil else { return }
        table.willChange(id)
        table.editUnindexed(id) { $0.reachability = known }
    }

    private func reachability(of id: EndpointID) -> Reachability? { table.look(at: id, \.reachability) ?? nil }

    /// The reachability of the endpoints that are kept.
    var reachabilities: [EndpointID: Reachability] {
        var known: [EndpointID: Reachability] = [:]
        for facts in table.all where isKept(facts.id) { known[facts.id] = facts.reachability }
        return known
    }

    /// Whether an endpoint may be probed. An endpoint that was only announced is never probed, even if the user has
    /// hidden it. Otherwise an untrusted host would decide which hosts the daemon connects to.
    func isProbed(_ id: EndpointID) -> Bool {
        isKept(id) && table.settings(of: id)?.probe != .off && table.contains(id)
    }

    /// Whether the user added it, used it, or changed a setting for its server.
    private func isKept(_ id: EndpointID) -> Bool {
        table.look(at: id, \.isKept) == true || table.settings(of: id)?.isAboutServer == true
    }
}
