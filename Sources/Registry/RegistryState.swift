// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Endpoints that exist: sightings and the user's entries in, changes out. Pure; `EndpointRegistry` performs.
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
struct RegistryState: Sendable {
    let limits: RegistryLimits
    let deriveID: @Sendable (ServiceInstance, HostName?) -> EndpointID

    var facts: [EndpointID: EndpointFacts] = [:]
    /// What was set for an endpoint does not make it exist.
    var settings: [EndpointID: EndpointSettings] = [:]
    /// The endpoints with an instance name.
    var endpointsByName: [InstanceName: [EndpointID]] = [:]
    /// The endpoints sighted at an address and port, in the order in which they came.
    var endpointsByAddress: [HostAndPort: [EndpointID]] = [:]
    /// The entries that name a host or address, and a port.
    var entriesByAddress: [HostAndPort: Set<EndpointID>] = [:]
    var quota = DiscoveryQuota()
    var overflow = OverflowTracker()
    /// Counts up with every sighting that tells something new, and with every endpoint.
    var clock: UInt64 = 0
    var counters = RegistryCounters()

    /// While it stays the same, so does every endpoint.
    private(set) var edition: UInt64 = 0
    /// Made since `recording` began.
    private var changes = StateChanges()
    /// Changes of earlier calls, while `recording` runs; nil where changes are only counted.
    private var pending: PendingChanges?

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
    var endpoints: [Endpoint] { Self.sorted(endpoints { _ in true }) }

    /// Those whose id `isWanted` holds for, in no order.
    func endpoints(where isWanted: (EndpointID) -> Bool) -> [Endpoint] {
        facts.values.filter { isWanted($0.id) }.compactMap(endpoint)
    }

    /// As `endpoints`, one after the other: together they take several times what is known of them.
    func forEachEndpoint(_ body: (Endpoint) -> Void) {
        let order = facts.values.map { ($0.name, $0.id.text, $0.id) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        for (_, _, id) in order {
            if let endpoint = endpoint(id) { body(endpoint) }
        }
    }

    func endpoint(_ id: EndpointID) -> Endpoint? { look(at: id, endpoint) ?? nil }

    /// Looks at what is known of an endpoint where it is kept: a copy would count up all that it refers to.
    func look<Result>(at id: EndpointID, _ body: (EndpointFacts) -> Result) -> Result? {
        facts.index(forKey: id).map { body(facts.values[$0]) }
    }

    func constraints(of id: EndpointID) -> AccessConstraints { settings[id]?.constraints ?? AccessConstraints() }

    func endpoint(_ facts: EndpointFacts) -> Endpoint? {
        facts.endpoint(
            settings[facts.id] ?? EndpointSettings(),
            isContested: facts.names.contains { (endpointsByName[$0]?.count ?? 0) > 1 }
        )
    }

    /// The source that tells where an endpoint is, or was the last to tell; nil for one that none has told of.
    func locatingSource(of id: EndpointID) -> SourceName? {
        facts[id].flatMap { $0.latest?.sighting.key.source ?? $0.memory?.source }
    }

    /// What an endpoint is announced as, by all sources.
    func instances(of id: EndpointID) -> Set<ServiceInstance> {
        Set(facts[id]?.seen.map(\.sighting.key.instance) ?? [])
    }

    var ids: [EndpointID] { Array(facts.keys) }

    /// How many endpoints there are, without making them.
    var count: Int { facts.count }

    static func sorted(_ endpoints: [Endpoint]) -> [Endpoint] {
        endpoints.sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }

    // MARK: Changes

    /// Makes changes, and returns them beside what `body` returns.
    ///
    /// - Parameter pending: changes that were returned before and wait to be sent to watchers: what those endpoints were is
    ///   known, so further changes fold into them. nil while there is no watcher: then changes are only counted.
    mutating func recording<Result, Failure>(
        beside pending: PendingChanges? = nil,
        _ body: (inout RegistryState) throws(Failure) -> Result
    ) throws(Failure) -> (result: Result, changes: StateChanges) {
        self.pending = pending
        defer {
            self.pending = nil
            changes = StateChanges()
        }
        let result = try body(&self)
        changes.endsShortage = overflow.takeRecovery(with: quota.discovered)
        return (result, changes)
    }

    /// To be called before anything of an endpoint changes, also when it does not exist yet: the endpoint is recorded as
    /// it is then.
    mutating func willChange(_ id: EndpointID) {
        edition += 1
        let isKept = look(at: id, \.isKept) ?? false
        if isKept || settings[id] != nil { changes.noteStaleTarget(id) }
        if changes.count(id, beside: pending) { changes.record(id, before: endpoint(id), isKept: isKept) }
    }

    /// Has a change sent before others, because a person has added or used the endpoint.
    mutating func expedite(_ id: EndpointID) { changes.expedite(id) }

    /// Has an endpoint looked at by whoever probes.
    mutating func noteStaleTarget(_ id: EndpointID) { changes.noteStaleTarget(id) }

    /// Has the user's part of the list saved.
    mutating func noteUnsaved() { changes.noteUnsaved() }
}
