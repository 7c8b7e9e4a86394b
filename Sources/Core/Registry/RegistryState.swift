// SPDX-License-Identifier: Apache-2.0

package import Endpoints

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
/// If several sources see one endpoint, a configured source decides where it is, rather than multicast.
///
/// An endpoint stays while it is announced, while it is added, or once it was used; sightings that belong
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
    /// Counts up with every sighting that has new facts, and with every endpoint.
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

    /// The source that decides where an endpoint is, or that did so last; nil if the endpoint was never sighted.
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

    /// Makes changes, and returns them with the result of `body`.
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

    /// Has a change sent before others, because the user has added or used the endpoint.
    mutating func expedite(_ id: EndpointID) { changes.expedite(id) }

    /// Has the liveness monitor look at an endpoint.
    mutating func noteStaleTarget(_ id: EndpointID) { changes.noteStaleTarget(id) }

    /// Has the user's part of the list saved.
    mutating func noteUnsaved() { changes.noteUnsaved() }
}

/// The ways in which endpoints change. Each keeps the indexes up to date, and the account of capacity.
extension RegistryState {
    mutating func insert(_ new: EndpointFacts) {
        willChange(new.id)
        facts[new.id] = new
        note(from: nil, to: IndexKeys(new), of: new.id)
    }

    mutating func edit(_ id: EndpointID, _ change: (inout EndpointFacts) -> Void) {
        willChange(id)
        // In place: facts are large, and a flood edits them ten thousand times.
        guard let index = facts.index(forKey: id) else { return }
        let old = IndexKeys(facts.values[index])
        change(&facts.values[index])
        note(from: old, to: IndexKeys(facts.values[index]), of: id)
    }

    mutating func drop(_ id: EndpointID) {
        willChange(id)
        guard let old = facts.removeValue(forKey: id) else { return }
        note(from: IndexKeys(old), to: nil, of: id)
    }

    /// Takes a sighting away from an endpoint, which goes if nothing else keeps it.
    mutating func take(_ key: Sighting.Key, from id: EndpointID) {
        edit(id) { $0.take(key) }
        if overflow.isOfNames { overflow.recordRemoval(of: InstanceName(key.instance)) }
        if let left = facts[id], left.seen.isEmpty, !left.isKept { drop(id) }
    }

    private mutating func note(from old: IndexKeys?, to new: IndexKeys?, of id: EndpointID) {
        noteNames(old?.names ?? [], new?.names ?? [], of: id)
        notePlaces(old?.places ?? [], new?.places ?? [], of: id)
        if old?.named != new?.named {
            if let place = old?.named {
                entriesByAddress[place]?.remove(id)
                if entriesByAddress[place]?.isEmpty == true { entriesByAddress[place] = nil }
            }
            if let place = new?.named { entriesByAddress[place, default: []].insert(id) }
        }
        if old?.memory != new?.memory { noteUnsaved() }
        if new?.quotaEntry == nil, new != nil { noteStaleTarget(id) }
        quota.bytes += (new?.cost ?? 0) - (old?.cost ?? 0)
        switch (old?.quotaEntry, new?.quotaEntry) {
        case (let quotaEntry?, nil): quota.leave(quotaEntry)
        case (nil, let quotaEntry?): quota.enter(quotaEntry)
        default: break
        }
    }

    private mutating func noteNames(_ old: [InstanceName], _ new: [InstanceName], of id: EndpointID) {
        guard old != new else { return }
        for name in old where !new.contains(name) {
            var left = endpointsByName[name] ?? []
            left.removeAll { $0 == id }
            // Before the index changes: willChange() records the endpoint as it is, which it computes from the index.
            for other in left { willChange(other) }
            endpointsByName[name] = left.isEmpty ? nil : left
            overflow.recordRemoval(of: name)
        }
        for name in new where !old.contains(name) {
            for other in endpointsByName[name] ?? [] { willChange(other) }
            endpointsByName[name, default: []].append(id)
        }
    }

    private mutating func notePlaces(_ old: [HostAndPort], _ new: [HostAndPort], of id: EndpointID) {
        guard old != new else { return }
        for place in old where !new.contains(place) {
            endpointsByAddress[place]?.removeAll { $0 == id }
            if endpointsByAddress[place]?.isEmpty == true { endpointsByAddress[place] = nil }
        }
        for place in new
        where !old.contains(place) && endpointsByAddress[place, default: []].count < limits.endpointsPerAddress {
            endpointsByAddress[place, default: []].append(id)
        }
    }
}

/// Keys of one endpoint in the indexes.
private struct IndexKeys {
    let names: [InstanceName]
    let places: [HostAndPort]
    /// The place that its entry names.
    let named: HostAndPort?
    let memory: RememberedServer?
    /// nil for one that is kept, which does not count toward the quota.
    let quotaEntry: DiscoveryQuota.Entry?
    /// What its sightings take in memory, in bytes.
    let cost: Int

    init(_ facts: borrowing EndpointFacts) {
        names = facts.names
        places = facts.addressPlaces
        named = facts.entry?.place
        memory = facts.memory
        quotaEntry =
            facts.isKept
            ? nil : DiscoveryQuota.Entry(id: facts.id, number: facts.number, discoveredAt: facts.discoveredAt)
        cost = facts.seen.reduce(0) { $0 + $1.cost }
    }
}

/// Bounds on what untrusted hosts and users can make the registry hold.
package struct RegistryLimits: Sendable {
    /// Endpoints that were only discovered, at least 1. The oldest one is evicted for a new one. Its source reports it
    /// again once a quarter of them has gone.
    package var discovered = 8_192
    /// Endpoints with one instance name: one server, and those that conflict with it.
    package var endpointsPerName = 8
    /// Endpoints at one address and port that come into question for the sightings of another source, at least 1.
    package var endpointsPerAddress = 8
    /// Sightings of one endpoint: interfaces times protocols times service types times sources.
    package var sightingsPerEndpoint = 64
    /// Endpoints that were added, and again as many that were used once.
    package var kept = 1_024
    /// What all sightings take in memory, about.
    package var sightingBytes = 32 << 20
    /// A TXT record with its length bytes: what is more is cut off.
    package var txtBytes = TXTStrings.maximumBytes
    /// RFC 6763, section 4.1.1.
    package var nameBytes = 63
    /// A host name has 255 bytes, and one that is no text takes three in a `String`.
    package var hostBytes = 765
    /// A service type, and a domain, likewise.
    package var domainBytes = 765
    /// Changes that watchers are sent in any one second, at least 1.
    package var changesPerSecond = 100
    /// Changes that may wait for a watcher before it is ended.
    package var watcherBacklog = 4_096
    package var watchers = 128
    /// Changes that are kept for watchers who come back, at least 1.
    package var history = 512
    /// How long changes are kept after the last watcher has left.
    package var resumeTime = Duration.seconds(60)
    /// How long what was known before a source went away is kept after it has settled: on a cold cache an answer may come
    /// later, by 1 s where one multicast question was lost and by 3 s where two were (RFC 6762, section 5.2). Without it,
    /// a restart below would be seen as servers going and coming.
    package var grace = Duration.seconds(5)
    /// Between two times that sources are asked to tell everything again.
    package var resyncInterval = Duration.seconds(10)

    /// Between two saves that no caller waits for. After one that failed, the pauses grow up to the longest.
    package var savePause = Duration.seconds(10)
    package var longestSavePause = Duration.seconds(600)

    package init() {}
}

/// How often a limit of the registry was met since the daemon started.
package struct RegistryCounters: Sendable, Hashable {
    /// Sightings that were dropped: there was no capacity for their host, name or endpoint.
    package var dropped: UInt64 = 0
    /// Sightings with a name or host that is too long to be one.
    package var malformed: UInt64 = 0
    /// Sightings whose TXT record was cut.
    package var cut: UInt64 = 0
    /// Discovered endpoints that were evicted for others.
    package var evicted: UInt64 = 0
    /// Changes that watchers were not sent one by one, because a newer one of the same endpoint came first.
    package var folded: UInt64 = 0

    package init() {}
}

/// One difference between two states of the registry. The fold of all changes over an empty list is the list.
package enum RegistryChange: Sendable, Hashable {
    case added(Endpoint)
    case changed(Endpoint)
    case removed(Endpoint)

    package var endpoint: Endpoint {
        switch self {
        case .added(let endpoint), .changed(let endpoint), .removed(let endpoint): endpoint
        }
    }
}

/// The events of a watch: the whole state first, or the revision from which the watch resumes; then every change with
/// its revision.
///
/// Indirect, because one change waits in the queues of many watchers.
package indirect enum RegistryUpdate: Sendable, Hashable {
    case resumed(revision: UInt64)
    case snapshot(revision: UInt64, [Endpoint])
    case change(revision: UInt64, RegistryChange)
}

/// Why the list is what it is: what one of its sources is doing.
package struct RegistrySourceStatus: Sendable, Hashable {
    package var name: SourceName
    package var state: SourceState
    package var isSettled: Bool
    /// How long the source has worked; nil while it does not.
    package var upFor: Duration?
    /// How long ago it last reported a server; nil when it never did since it came up.
    package var heardAgo: Duration?
}
