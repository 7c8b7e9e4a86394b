// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Which endpoints exist: sightings and the user's entries in, changes out. Pure; `EndpointRegistry` performs.
///
/// Where a sighting belongs:
/// 1. To the entry that names its address or full host name, and its port.
/// 2. Else to the endpoint with its instance name that was sighted at the same host or address before, or was there when
///    it was last used, on any port.
/// 3. Else to the endpoint that another source, and not its own, sights at the same address and port.
/// 4. Else to a new endpoint; if another one bears its instance name, both are in conflict for as long as both do.
/// 5. Where several fit, one that was added or used wins, then the oldest, and takes over those that were only discovered.
///
/// Where several sources see one endpoint, a chosen one tells where it is, rather than multicast.
///
/// An endpoint stays while somebody announces it, while it is added, or once it was used; sightings that belong
/// together stay together until they end.
package struct RegistryState: Sendable {
    let limits: RegistryLimits
    let deriveID: @Sendable (ServiceInstance, HostName?) -> EndpointID

    var facts: [EndpointID: EndpointFacts] = [:]
    /// What was set for an endpoint does not make it exist.
    package var settings: [EndpointID: EndpointSettings] = [:]
    /// Who bears an instance name.
    var bearers: [InstanceName: [EndpointID]] = [:]
    /// Who is sighted at an address and port, in the order in which they came.
    var tenants: [Place: [EndpointID]] = [:]
    /// Which entries name a place.
    var namers: [Place: Set<EndpointID>] = [:]
    var room = Room()
    var shortage = Shortage()
    /// Counts up with every sighting that tells something new, and with every endpoint.
    var clock: UInt64 = 0
    var counted = RegistryCounters()

    /// Whether anybody wants to hear of changes; without, none are kept.
    package var isWatched = false {
        didSet { if !isWatched { pending.removeAll() } }
    }
    private(set) var pending = PendingChanges()
    /// Changes that nobody wanted to hear of.
    private var unwatched: UInt64 = 0
    /// While it stays the same, so does every endpoint.
    private(set) var edition: UInt64 = 0
    /// Of those that are or were kept: what probes have to know of them may be new.
    var unreviewed: Set<EndpointID> = []
    /// What is remembered of a server is no longer what was last asked for.
    var isUnsaved = false

    /// - Parameter deriveID: the id of an endpoint that only its announcement names; equal for equal instances. With a
    ///   host: of one whose name another endpoint bears.
    init(
        limits: RegistryLimits = RegistryLimits(),
        deriveID: @escaping @Sendable (ServiceInstance, HostName?) -> EndpointID = EndpointID.derived
    ) {
        self.limits = limits
        self.deriveID = deriveID
    }

    // MARK: Reading

    /// All endpoints by name, then id.
    package var endpoints: [Endpoint] { Self.sorted(facts.values.compactMap(endpoint)) }

    /// As `endpoints`, one after the other: together they take several times what is known of them.
    func forEachEndpoint(_ body: (Endpoint) -> Void) {
        let order = facts.values.map { ($0.name, $0.id.text, $0.id) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        for (_, _, id) in order {
            if let endpoint = endpoint(id) { body(endpoint) }
        }
    }

    package func endpoint(_ id: EndpointID) -> Endpoint? { look(at: id, endpoint) ?? nil }

    /// Looks at what is known of an endpoint where it is kept: a copy would count up all that it refers to.
    func look<Result>(at id: EndpointID, _ body: (EndpointFacts) -> Result) -> Result? {
        facts.index(forKey: id).map { body(facts.values[$0]) }
    }

    func constraints(of id: EndpointID) -> AccessConstraints { settings[id]?.constraints ?? AccessConstraints() }

    private func endpoint(_ facts: EndpointFacts) -> Endpoint? {
        facts.endpoint(
            settings[facts.id] ?? EndpointSettings(),
            isContested: facts.names.contains { (bearers[$0]?.count ?? 0) > 1 }
        )
    }

    /// The endpoint with this id, or the only one with this name: of those that were added, else of those that were used,
    /// else of those that were only discovered. A stranger may announce any name, and must not make the user's own
    /// ambiguous.
    package func find(_ reference: String) throws(RegistryError) -> Endpoint {
        if let id = EndpointID(reference), let endpoint = endpoint(id) { return endpoint }
        let matches = Self.sorted(facts.values.filter { $0.name == reference }.compactMap(endpoint))
        let added = matches.filter { facts[$0.id]?.entry != nil }
        let used = matches.filter { facts[$0.id]?.memory != nil }
        let best = [added, used, matches].first { !$0.isEmpty } ?? []
        guard let first = best.first else { throw .notFound(reference: reference) }
        guard best.count == 1 else { throw .ambiguous(reference: reference, candidates: best.map(\.id)) }
        return first
    }

    /// The source that tells where an endpoint is, or was the last to tell; nil for one that none has told of.
    package func locatingSource(of id: EndpointID) -> SourceName? {
        facts[id].flatMap { $0.latest?.sighting.key.source ?? $0.memory?.source }
    }

    /// What an endpoint is announced as, by all sources.
    package func instances(of id: EndpointID) -> Set<ServiceInstance> {
        Set(facts[id]?.seen.map(\.sighting.key.instance) ?? [])
    }

    package var ids: [EndpointID] { Array(facts.keys) }

    /// How many endpoints there are, without making them.
    package var count: Int { facts.count }

    package var counters: RegistryCounters {
        var counters = counted
        counters.folded = pending.folded
        return counters
    }

    // MARK: Changes

    /// There is room again for what was left out; true once for each time.
    mutating func takeEndOfShortage() -> Bool { shortage.takeEnd(with: room.discovered) }

    var hasChanges: Bool { !pending.isEmpty }

    /// How many changes came while nobody wanted to hear of them, since the last time this was asked.
    mutating func takeUnwatched() -> UInt64 {
        defer { unwatched = 0 }
        return unwatched
    }

    /// The next difference between what watchers were told and what is; nil when there is none.
    ///
    /// - Parameter onlyUrgent: leaves those for later that are not of an endpoint which a person added or used.
    package mutating func nextChange(onlyUrgent: Bool = false) -> RegistryChange? {
        while let (id, told) = pending.next(onlyUrgent: onlyUrgent) {
            switch (told, endpoint(id)) {
            case (nil, let new?): return .added(new)
            case (let old?, nil): return .removed(old)
            case (let old?, let new?) where old != new: return .changed(new)
            default: continue
            }
        }
        return nil
    }

    /// What `endpoints` was when watchers were told the last change.
    package var toldEndpoints: [Endpoint] {
        guard !pending.isEmpty else { return endpoints }
        let others = facts.values.filter { !pending.contains($0.id) }.compactMap(endpoint)
        return Self.sorted(others + pending.told.values.compactMap { $0 })
    }

    /// As `toldEndpoints`, of one.
    package func toldEndpoint(_ id: EndpointID) -> Endpoint? { pending.told[id] ?? endpoint(id) }

    /// To be called before anything of an endpoint changes, also when it does not exist yet.
    mutating func touch(_ id: EndpointID) {
        edition += 1
        let isKept = look(at: id, \.isKept) ?? false
        if isKept || settings[id] != nil { unreviewed.insert(id) }
        if !isWatched {
            unwatched += 1
        } else if pending.contains(id) {
            pending.fold()
        } else {
            pending.add(id, told: endpoint(id), isUrgent: isKept)
        }
    }

    /// Has an endpoint told before others, because a person has added or used it.
    mutating func hurry(_ id: EndpointID) {
        pending.hurry(id)
    }

    private static func sorted(_ endpoints: [Endpoint]) -> [Endpoint] {
        endpoints.sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }
}
