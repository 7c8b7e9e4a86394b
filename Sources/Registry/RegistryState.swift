// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Which endpoints exist: sightings and the user's entries in, changes out. Pure; `EndpointRegistry` performs.
///
/// An endpoint exists while a person has added it or someone announces it. Announcements of one
/// instance belong to the manual entry that names the same server, else to an endpoint of their own whose id is
/// derived from the instance name, so that it survives a restart.
package struct RegistryState: Sendable {
    struct Seen: Sendable {
        var sighting: Sighting
        var order: UInt64
        var isStale: Bool
    }

    struct Instance: Sendable {
        var owner: EndpointID
        var sightings: [Sighting.Key: Seen]
    }

    private let limits: RegistryLimits
    private let deriveID: @Sendable (ServiceInstance) -> EndpointID
    package private(set) var manual: [EndpointID: ManualEntry] = [:]
    package private(set) var settings: [EndpointID: EndpointSettings] = [:]
    /// Those of `manual` that the administrator laid down: not ours to save or to remove.
    package private(set) var configured: Set<EndpointID> = []
    package private(set) var reachabilities: [EndpointID: Reachability] = [:]
    private var instances: [InstanceName: Instance] = [:]
    private var owned: [EndpointID: Set<InstanceName>] = [:]
    private var order: UInt64 = 0
    /// Sightings that were refused because a limit was reached.
    package private(set) var droppedSightings: UInt64 = 0

    /// - Parameter deriveID: the id of an endpoint that only its announcement names; equal for equal instances.
    package init(limits: RegistryLimits, deriveID: @escaping @Sendable (ServiceInstance) -> EndpointID) {
        self.limits = limits
        self.deriveID = deriveID
    }

    // MARK: Reading

    /// All endpoints by name, then id.
    package var endpoints: [Endpoint] {
        ids.compactMap(endpoint).sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }

    package func endpoint(_ id: EndpointID) -> Endpoint? {
        let seen = (owned[id] ?? []).flatMap { name in instances[name].map { Array($0.sightings.values) } ?? [] }
        return EndpointFacts(
            id: id,
            manual: manual[id],
            isConfigured: configured.contains(id),
            settings: settings[id] ?? EndpointSettings(),
            reachability: reachabilities[id],
            seen: seen
        ).endpoint
    }

    /// The endpoint with this id, or the only one with this name.
    package func find(_ reference: String) throws(RegistryError) -> Endpoint {
        if let id = EndpointID(reference), let endpoint = endpoint(id) { return endpoint }
        let matches = endpoints.filter { $0.name == reference }
        guard let first = matches.first else { throw .notFound(reference: reference) }
        guard matches.count == 1 else { throw .ambiguous(reference: reference, candidates: matches.map(\.id)) }
        return first
    }

    /// How many endpoints there are, without making them.
    package var count: Int { ids.count }

    /// What was set for an endpoint does not make it exist.
    private var ids: Set<EndpointID> { Set(manual.keys).union(owned.keys) }

    // MARK: Sightings

    /// `settled` and `source` speak of the sightings of this one source.
    package mutating func apply(_ event: SightingEvent, from source: SourceName) -> [RegistryChange] {
        switch event {
        case .sighted(let sighting): sighted(sighting)
        case .vanished(let key): vanished(key)
        case .lost(let key): lost(key)
        case .settled: forgetStale(of: source)
        case .source(.down): markStale(of: source)
        case .source(.up): []
        }
    }

    private mutating func sighted(_ sighting: Sighting) -> [RegistryChange] {
        let name = InstanceName(sighting.key.instance)
        guard hasRoom(for: sighting, in: name) else {
            droppedSightings += 1
            return []
        }
        order += 1
        let derived = deriveID(sighting.key.instance)
        let claims = manual.filter { $0.value.names(sighting) }.map(\.key)
        return observing(homes(of: name) + claims + [derived]) { state in
            var instance = state.instances[name] ?? Instance(owner: derived, sightings: [:])
            if let old = instance.sightings[sighting.key]?.sighting, !old.isSameServer(as: sighting) {
                state.reachabilities[instance.owner] = nil
            }
            instance.sightings[sighting.key] = Seen(sighting: sighting, order: state.order, isStale: false)
            state.instances[name] = instance
            state.owned[instance.owner, default: []].insert(name)
            state.rehome(name)
        }
    }

    private mutating func vanished(_ key: Sighting.Key) -> [RegistryChange] {
        let name = InstanceName(key.instance)
        guard instances[name]?.sightings[key] != nil else { return [] }
        return observing(homes(of: name)) { state in
            state.instances[name]?.sightings[key] = nil
            state.rehome(name)
        }
    }

    private mutating func lost(_ key: Sighting.Key) -> [RegistryChange] {
        let name = InstanceName(key.instance)
        return observing(homes(of: name)) { $0.instances[name]?.sightings[key]?.isStale = true }
    }

    private mutating func markStale(of source: SourceName) -> [RegistryChange] {
        observing(Array(owned.keys)) { state in
            for name in state.instances.keys {
                for key in state.instances[name]?.sightings.keys.filter({ $0.source == source }) ?? [] {
                    state.instances[name]?.sightings[key]?.isStale = true
                }
            }
        }
    }

    /// Something is known only from before its source went away.
    package var hasStale: Bool { instances.values.contains { $0.sightings.values.contains(where: \.isStale) } }

    private mutating func forgetStale(of source: SourceName) -> [RegistryChange] {
        let touched = instances.filter { $0.value.sightings.contains { $0.key.source == source && $0.value.isStale } }
        return observing(touched.keys.flatMap(homes)) { state in
            for name in touched.keys {
                let kept =
                    state.instances[name]?.sightings.filter { $0.key.source != source || !$0.value.isStale } ?? [:]
                state.instances[name]?.sightings = kept
                state.rehome(name)
            }
        }
    }

    private func hasRoom(for sighting: Sighting, in name: InstanceName) -> Bool {
        guard let instance = instances[name] else { return instances.count < limits.instances }
        return instance.sightings[sighting.key] != nil || instance.sightings.count < limits.sightingsPerInstance
    }

    /// Every endpoint that an instance belongs to or could come to belong to by losing sightings.
    private func homes(of name: InstanceName) -> [EndpointID] {
        guard let instance = instances[name] else { return [] }
        let own = instance.sightings.keys.first.map { [deriveID($0.instance)] } ?? []
        return own + [instance.owner] + claims(on: instance)
    }

    /// The manual entries that name the same server as an instance, by id.
    private func claims(on instance: Instance) -> [EndpointID] {
        manual.filter { entry in instance.sightings.values.contains { entry.value.names($0.sighting) } }
            .keys.sorted { $0.text < $1.text }
    }

    /// Gives an instance to the manual entry that names the same server, else to the endpoint of its own name.
    private mutating func rehome(_ name: InstanceName) {
        guard let instance = instances[name] else { return }
        guard let first = instance.sightings.values.first?.sighting else {
            instances[name] = nil
            disown(name, from: instance.owner)
            return
        }
        let owner = claims(on: instance).first ?? deriveID(first.key.instance)
        guard owner != instance.owner else { return }
        disown(name, from: instance.owner)
        instances[name]?.owner = owner
        owned[owner, default: []].insert(name)
    }

    private mutating func disown(_ name: InstanceName, from owner: EndpointID) {
        owned[owner]?.remove(name)
        if owned[owner]?.isEmpty == true { owned[owner] = nil }
        forgetContactIfGone(owner)
    }

    private mutating func forgetContactIfGone(_ id: EndpointID) {
        if manual[id] == nil, owned[id] == nil { reachabilities[id] = nil }
    }

    // MARK: The user's entries

    /// Adds a server by hand. Where it is announced already, the endpoint keeps its id and becomes manual.
    ///
    /// - Parameter id: the id to use where no announcement has one.
    package mutating func add(_ entry: ManualEntry, id: EndpointID) throws(RegistryError) -> [RegistryChange] {
        guard ManualEntry.isValid(name: entry.name) else { throw .invalidName(entry.name) }
        guard manual.count < limits.manualEntries else { throw .full(limit: limits.manualEntries) }
        guard !manual.values.contains(where: { $0.name == entry.name }) else { throw .nameTaken(entry.name) }
        if let twin = manual.values.first(where: { $0.url == entry.url }) { throw .alreadyAdded(name: twin.name) }
        let claimed = instances.filter { $0.value.sightings.values.contains { entry.names($0.sighting) } }
        let announced = claimed.values.map(\.owner).filter { manual[$0] == nil }
        let id = announced.min { $0.text < $1.text } ?? id
        return observing([id] + claimed.values.map(\.owner)) { state in
            state.manual[id] = entry
            for name in claimed.keys { state.rehome(name) }
        }
    }

    /// By which id an endpoint from elsewhere is known here already: its own, or that of the one with the same URL.
    package func known(_ url: ServerURL, id: EndpointID) -> EndpointID? {
        endpoint(id) != nil ? id : endpoints.first { $0.url == url }?.id
    }

    /// Puts in a server that the administrator laid down, over what the user saved under the same id.
    package mutating func configure(_ entry: ManualEntry, id: EndpointID) -> [RegistryChange] {
        configured.insert(id)
        return putBack(entry, settings: settings[id], id: id)
    }

    /// Takes out a server that the administrator no longer lays down.
    package mutating func withdraw(_ id: EndpointID) -> [RegistryChange] {
        configured.remove(id)
        return putBack(nil, settings: settings[id], id: id)
    }

    /// Makes an entry what it was, as it was saved or before a change that failed; nil for none.
    package mutating func putBack(
        _ entry: ManualEntry?,
        settings saved: EndpointSettings?,
        id: EndpointID
    ) -> [RegistryChange] {
        let names = Array(instances.keys)
        return observing([id] + names.flatMap(homes)) { state in
            state.manual[id] = entry
            state.settings[id] = saved?.isEmpty == false ? saved : nil
            for name in names { state.rehome(name) }
            state.forgetContactIfGone(id)
        }
    }

    /// Removes an entry and what was set for it; what is announced meanwhile stays as a discovered endpoint.
    package mutating func remove(_ id: EndpointID) throws(RegistryError) -> [RegistryChange] {
        guard let endpoint = endpoint(id) else { throw .notFound(reference: id.text) }
        guard !configured.contains(id) else { throw .configured(name: endpoint.name) }
        guard manual[id] != nil || settings[id] != nil else { throw .notManual(name: endpoint.name) }
        let names = owned[id] ?? []
        return observing([id] + names.flatMap(homes)) { state in
            state.manual[id] = nil
            state.settings[id] = nil
            state.reachabilities[id] = nil
            for name in names { state.rehome(name) }
        }
    }

    package mutating func set(_ id: EndpointID, _ newer: EndpointSettings) throws(RegistryError) -> [RegistryChange] {
        guard endpoint(id) != nil else { throw .notFound(reference: id.text) }
        return observing([id]) { state in
            let merged = (state.settings[id] ?? EndpointSettings()).merged(with: newer)
            state.settings[id] = merged.isEmpty ? nil : merged
            state.reachabilities[id] = nil
        }
    }

    /// Records what an attempt to reach an endpoint met.
    ///
    /// - Parameter now: Unix seconds.
    package mutating func note(_ contact: Contact, for id: EndpointID, at now: Int64) -> [RegistryChange] {
        guard endpoint(id) != nil else { return [] }
        return observing([id]) { state in
            state.reachabilities[id]?.hear(contact, at: now)
            if state.reachabilities[id] == nil { state.reachabilities[id] = Reachability(contact, at: now) }
        }
    }

    /// Puts in what an earlier run knew of an endpoint, unless this one knows better.
    package mutating func putBack(_ known: Reachability, for id: EndpointID) -> [RegistryChange] {
        guard endpoint(id) != nil, reachabilities[id] == nil else { return [] }
        return observing([id]) { $0.reachabilities[id] = known }
    }

    /// Somebody added it, configured it, or set something for it.
    package func isKept(_ id: EndpointID) -> Bool { manual[id] != nil || settings[id] != nil }

    /// Whether an endpoint may be probed. One that was merely announced never may: a stranger would decide whom we connect
    /// to.
    package func isProbed(_ id: EndpointID) -> Bool { isKept(id) && settings[id]?.probe != .off && endpoint(id) != nil }

    // MARK: Changes

    private mutating func observing(
        _ ids: [EndpointID],
        _ mutate: (inout RegistryState) -> Void
    ) -> [RegistryChange] {
        let touched = Set(ids)
        let before = touched.map { ($0, endpoint($0)) }
        mutate(&self)
        return before.compactMap { id, old in
            switch (old, endpoint(id)) {
            case (nil, let new?): .added(new)
            case (let old?, nil): .removed(old)
            case (let old?, let new?) where old != new: .changed(new)
            default: nil
            }
        }
    }
}

extension Sighting {
    /// The same place to connect to, whatever else changed.
    fileprivate func isSameServer(as other: Sighting) -> Bool {
        host == other.host && port == other.port && address == other.address
    }
}
