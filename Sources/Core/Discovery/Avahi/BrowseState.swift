// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Decides which instances to resolve and which events to emit, from Avahi's reports on one connection.
struct BrowseState {
    typealias Instant = LostSightings.Instant

    enum Action: Equatable {
        case resolve(Sighting.Key)
        case release(Sighting.Key)
        /// Resolve it with a new resolver, then free the old one.
        case resolveAgain(Sighting.Key)
        case tell(SightingEvent)
        /// Browse for a service type; again if instances of it were dropped and there is capacity again, because only a
        /// new browser reports them again.
        case browse(type: String)
        /// Free the browser of a type that is no longer announced.
        case stopBrowsing(type: String)
        case count(Counted)
    }

    enum Counted: Equatable {
        case dropped, truncated, unanswered, typeDropped
    }

    /// The state of one service type.
    private struct Kind {
        var instances = 0
        var isOverflown = false
        /// The links that announce a type which is not configured.
        var announcements: Set<Link> = []
        /// Avahi has not reported all cached instances yet.
        var isListing = true
    }

    private let limit: Int
    private let configured: Set<String>
    private var kinds: [String: Kind]
    /// Every open resolver with its latest result.
    private var tracked: [Sighting.Key: Sighting?] = [:]
    private var lost: LostSightings
    /// Instances that were reported before the listing was complete and have no result yet. `settled` waits for them.
    private var awaited: Set<Sighting.Key> = []
    private var isSettled = false
    private var named: [Link: Int] = [:]
    /// Links that can receive nothing, although Avahi may still report its cached records.
    private var away: Set<Link> = []
    private var silent: Set<Sighting.Key> = []

    /// - Parameter types: one may be `ServiceTypePattern.all`.
    init(types: [String], limit: Int) {
        self.limit = limit
        configured = Set(types)
        kinds = Dictionary(types.map { ($0, Kind()) }) { first, _ in first }
        lost = LostSightings(limit: limit)
    }

    /// The number of instances on the interface and protocol that has most of them. Each interface and protocol has
    /// its own cache.
    var namedOnFullestLink: Int { named.values.max() ?? 0 }

    /// The number of instances that Avahi reports, but could not resolve at the last attempt.
    var silentCount: Int { silent.count }

    /// Handles a service type that is announced on a link.
    mutating func appeared(type: String, on link: Link) -> [Action] {
        guard ServiceTypePattern.matches(type), !configured.contains(type) else { return [] }
        guard kinds[type] != nil || kinds.count < ServiceTypePattern.mostTypes else {
            kinds[ServiceTypePattern.all]?.isOverflown = true
            return [.count(.typeDropped)]
        }
        let isNew = kinds[type] == nil
        kinds[type, default: Kind()].announcements.insert(link)
        return isNew ? [.browse(type: type)] : []
    }

    /// Handles a service type that is no longer announced on a link.
    mutating func disappeared(type: String, on link: Link) -> [Action] {
        kinds[type]?.announcements.remove(link)
        return released(type)
    }

    /// Gives up a type without announcements and instances, unless it is configured.
    private mutating func released(_ type: String) -> [Action] {
        guard !configured.contains(type), let kind = kinds[type], kind.announcements.isEmpty, kind.instances == 0 else {
            return []
        }
        kinds[type] = nil
        var actions: [Action] = [.stopBrowsing(type: type)]
        if kinds[ServiceTypePattern.all]?.isOverflown == true {
            kinds[ServiceTypePattern.all]?.isOverflown = false
            actions.append(.browse(type: ServiceTypePattern.all))
        }
        return actions + settle()
    }

    mutating func appeared(_ key: Sighting.Key, of type: String) -> [Action] {
        guard tracked[key] == nil, var kind = kinds[type] else { return [] }
        guard kind.instances < limit else {
            kinds[type]?.isOverflown = true
            return [.count(.dropped)]
        }
        kind.instances += 1
        kinds[type] = kind
        named[Link(of: key), default: 0] += 1
        tracked[key] = .some(nil)
        if isListing { awaited.insert(key) }
        return [.resolve(key)]
    }

    mutating func disappeared(_ key: Sighting.Key, of type: String, link: LinkState, now: Instant) -> [Action] {
        guard let sighting = tracked.removeValue(forKey: key), var kind = kinds[type] else { return [] }
        var actions: [Action] = [.release(key)]
        if sighting != nil { actions.append(.tell(gone(key, link, now))) }
        silent.remove(key)
        named[Link(of: key), default: 1] -= 1
        kind.instances -= 1
        if kind.isOverflown, kind.instances <= limit / 4 * 3 {
            kind.isOverflown = false
            actions.append(.browse(type: type))
        }
        kinds[type] = kind
        return actions + released(type) + answered(key)
    }

    /// Handles the result of a resolver; nil if there is none, or none any longer. The resolver stays open and may
    /// report again.
    ///
    /// - Parameter isFresh: whether the resolver was made for a refresh. If an instance moves to another host, an
    ///   older resolver reports the new host with the address of the old one (Avahi 0.8), so only the result of a
    ///   fresh one is used then.
    mutating func resolved(
        _ key: Sighting.Key,
        as resolution: Resolution?,
        isFresh: Bool = true,
        link: LinkState,
        now: Instant
    ) -> [Action] {
        guard let known = tracked[key] else { return [] }
        if link == .away, let resolution, !resolution.isLocal {
            // From Avahi's cache. The instance is resolved again when the link is back.
            away.insert(Link(of: key))
            return answered(key)
        }
        var actions: [Action] = []
        if let resolution {
            let sighting = Sighting(key, resolution)
            if !isFresh, let known, known.host != sighting.host { return [.resolveAgain(key)] }
            if resolution.txt.isTruncated { actions.append(.count(.truncated)) }
            if sighting != known { actions.append(.tell(.sighted(sighting))) }
            tracked[key] = sighting
            silent.remove(key)
            lost.remove(key)
        } else {
            actions.append(.count(.unanswered))
            if known != nil { actions.append(.tell(gone(key, link, now))) }
            tracked[key] = .some(nil)
            silent.insert(key)
        }
        return actions + answered(key)
    }

    /// Handles Avahi's refusal to resolve the instance. The instance stays in the table, so that its disappearance
    /// frees capacity.
    mutating func refused(_ key: Sighting.Key) -> [Action] {
        answered(key)
    }

    mutating func listed(type: String) -> [Action] {
        kinds[type]?.isListing = false
        return settle()
    }

    /// Resolves an instance again, because its known address may be wrong.
    func refresh(_ instance: ServiceInstance) -> [Action] {
        tracked.keys.filter { $0.instance == instance }.map { .resolveAgain($0) }
    }

    /// Handles links that went down or came up, perhaps without a report from Avahi, for example when a cable was
    /// unplugged. Sightings on a link that is down are lost, except those that this machine announces itself. On a
    /// link that is back, all instances are resolved again.
    mutating func linksChanged(now: Instant, isAway: (Link) -> Bool) -> [Action] {
        let before = away
        away = Set(named.keys.filter { isAway($0) })
        var actions: [Action] = []
        for (key, sighting) in tracked {
            let link = Link(of: key)
            if let sighting, !sighting.isLocal, away.contains(link) {
                tracked[key] = .some(nil)
                actions.append(.tell(gone(key, .away, now)))
            } else if sighting == nil, before.contains(link), !away.contains(link) {
                actions.append(.resolveAgain(key))
            }
        }
        return actions
    }

    /// Events for all current sightings.
    var sightedEvents: [SightingEvent] { tracked.values.compactMap { $0 }.map { .sighted($0) } }

    /// Emits `vanished` for sightings that were lost for too long.
    mutating func expire(now: Instant, isAway: (Sighting.Key) -> Bool) -> [Action] {
        lost.takeExpired(now: now, isAway: isAway).map { .tell(.vanished($0)) }
    }

    /// The time to call `expire`; nil if no sighting is lost.
    var nextExpiry: Instant? { lost.nextExpiry }

    private mutating func gone(_ key: Sighting.Key, _ link: LinkState, _ now: Instant) -> SightingEvent {
        guard link != .steady, lost.insert(key, isAway: link == .away, now: now) else { return .vanished(key) }
        return .lost(key)
    }

    private var isListing: Bool { kinds.values.contains { $0.isListing } }

    private mutating func answered(_ key: Sighting.Key) -> [Action] {
        awaited.remove(key) == nil ? [] : settle()
    }

    private mutating func settle() -> [Action] {
        guard !isSettled, awaited.isEmpty, !isListing else { return [] }
        isSettled = true
        // The set is empty, but has the capacity of its largest size.
        awaited = []
        return [.tell(.settled)]
    }
}

/// The service types of all Data Abstract servers: the vendor's browser takes each type that ends like these.
package enum ServiceTypePattern {
    /// The configured type that stands for all of them.
    package static let all = "*"
    /// The maximum number of types that are browsed, so that invented ones cost little.
    static let mostTypes = 64
    private static let suffix = "_rosdk._tcp"

    /// Whether a type is `_NAME_rosdk._tcp`.
    static func matches(_ type: String) -> Bool {
        type.hasPrefix("_") && type.lowercased().hasSuffix(suffix) && type.utf8.count > suffix.utf8.count + 1
            && type.utf8.count <= 63 + "._tcp".utf8.count && type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

extension Sighting {
    fileprivate init(_ key: Key, _ resolution: Resolution) {
        self.init(
            key: key,
            interfaceName: resolution.interfaceName,
            host: resolution.host,
            port: resolution.port,
            address: resolution.address,
            txt: resolution.txt.strings,
            isLocal: resolution.isLocal
        )
    }
}

/// Sightings that Avahi removed because of a change on this machine, not because the service ended. They are kept for
/// a while.
struct LostSightings {
    typealias Instant = SuspendingClock.Instant

    /// The time for which sightings of an interface that is down are kept.
    static let patience = Duration.seconds(60)
    /// The time for a service to be seen again after the interface is back: three rounds of Avahi's queries.
    static let returning = Duration.seconds(10)

    private struct Wait {
        var until: Instant
        /// Whether the time for the interface to return is over.
        var isLast: Bool
    }

    private let limit: Int
    private var waits: [Sighting.Key: Wait] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: false if there is no capacity. The sighting then counts as gone.
    mutating func insert(_ key: Sighting.Key, isAway: Bool, now: Instant) -> Bool {
        guard waits.count < limit || waits[key] != nil else { return false }
        waits[key] = Wait(until: now + (isAway ? Self.patience : Self.returning), isLast: !isAway)
        return true
    }

    /// - Returns: whether the sighting was lost.
    @discardableResult
    mutating func remove(_ key: Sighting.Key) -> Bool { waits.removeValue(forKey: key) != nil }

    /// Removes and returns the sightings whose time is over. If an interface has come back, its sightings get
    /// `returning` from now.
    mutating func takeExpired(now: Instant, isAway: (Sighting.Key) -> Bool) -> [Sighting.Key] {
        var expired: [Sighting.Key] = []
        for (key, wait) in waits where wait.until <= now {
            if wait.isLast || isAway(key) {
                waits[key] = nil
                expired.append(key)
            } else {
                waits[key] = Wait(until: now + Self.returning, isLast: true)
            }
        }
        return expired
    }

    /// The time to call `takeExpired` next; nil if no sighting is lost.
    var nextExpiry: Instant? { waits.values.lazy.map(\.until).min() }
}

/// Instances that wait for their resolver. Each resolver takes a blocking call to avahi-daemon. If all were made
/// immediately, a flood of new services would delay the changes of known ones.
struct ResolverQueue {
    /// The number of loop rounds with reports after which one resolver is made anyway.
    private static let patience = 32

    private var waiting: Set<Sighting.Key> = []
    private var urgent = Lane<Sighting.Key>()
    private var others = Lane<Sighting.Key>()
    /// Whether Avahi has reported something since the last round.
    private var isBusy = false
    private var rounds = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ key: Sighting.Key) {
        if waiting.insert(key).inserted { others.append(key) }
    }

    mutating func remove(_ key: Sighting.Key) { waiting.remove(key) }

    /// Moves an instance to the front, if it is in the queue.
    mutating func expedite(_ key: Sighting.Key) {
        if waiting.contains(key) { urgent.append(key) }
    }

    /// Records that Avahi has reported something, so that more reports may follow.
    mutating func reported() { isBusy = true }

    /// Call once in each round of Avahi's loop while the queue is not empty.
    ///
    /// - Returns: the next instance; nil if Avahi's reports must be handled first.
    mutating func next() -> Sighting.Key? {
        defer { isBusy = false }
        rounds += 1
        guard !isBusy || rounds >= Self.patience else { return nil }
        rounds = 0
        while let key = urgent.pop() ?? others.pop() {
            guard waiting.remove(key) != nil else { continue }
            // Reset, because an empty queue would keep the capacity of its largest size.
            if waiting.isEmpty { self = ResolverQueue() }
            return key
        }
        return nil
    }
}

/// A protocol on an interface. Avahi has a separate cache for each.
struct Link: Hashable {
    let interface: Int32
    let family: AddressFamily

    init(interface: Int32, family: AddressFamily) {
        self.interface = interface
        self.family = family
    }

    init(of key: Sighting.Key) {
        self.init(interface: key.interface, family: key.family)
    }
}

/// The state of a sighting's interface when Avahi removes the sighting.
enum LinkState: Sendable {
    /// The link was up all the time: the service has sent a goodbye, or its records have expired.
    case steady
    /// The link has just come back, or the wall clock has jumped, which makes Avahi expire its records.
    case shaken
    /// The link is down, or has no address of the sighting's family.
    case away
}

/// Limits of the resources that other hosts on the link can make the browser use.
package struct DiscoveryLimits: Sendable, Hashable {
    /// The number of instances of one type, at least 1. An instance counts once for each interface and protocol.
    package var instancesPerType: Int
    /// The number of browsers and resolvers on one D-Bus connection, at least 1. avahi-daemon's default
    /// `objects-per-client-max` is 1,024.
    package var objectsPerConnection: Int

    /// Limits with these values; values below 1 become 1.
    package init(instancesPerType: Int = 8_192, objectsPerConnection: Int = 900) {
        self.instancesPerType = max(1, instancesPerType)
        self.objectsPerConnection = max(1, objectsPerConnection)
    }
}

/// The counters of a browser, for the status call.
package struct DiscoveryCounters: Sendable, Hashable, Codable {
    /// The number of open resolvers.
    package var resolvers = 0
    /// The number of D-Bus connections.
    package var connections = 0
    /// The number of times that a connection to Avahi was dropped because of an error.
    package var failures = 0
    /// The number of instances that were not resolved because their type had reached its limit.
    package var instancesDropped = 0
    /// The number of instances that Avahi refused to resolve.
    package var instancesRefused = 0
    /// The number of resolvers that got no result, or whose result expired.
    package var unanswered = 0
    /// The number of service types that were not browsed because of their limit.
    package var typesDropped = 0
    /// The number of TXT records that were truncated at their limit.
    package var recordsTruncated = 0
    /// The number of instances that have no result now, though Avahi reports them.
    package var silent = 0
    /// The number of instances that Avahi reports on the interface and protocol that has most of them.
    package var namedOnFullestLink = 0
    /// The number of events that were emitted.
    package var events = 0

    /// All counters are 0.
    package init() {}
}
