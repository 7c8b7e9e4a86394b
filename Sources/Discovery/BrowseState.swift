// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Decides what to resolve and what to tell, from what Avahi reports during one connection.
struct BrowseState {
    typealias Instant = LostSightings.Instant

    enum Action: Equatable {
        case resolve(Sighting.Key)
        case release(Sighting.Key)
        /// Resolve it by a new resolver, and then release the old one.
        case resolveAnew(Sighting.Key)
        case tell(SightingEvent)
        /// Instances of this type were dropped and there is room again: only a new browser names them once more.
        case browseAgain(type: String)
        case count(Counted)
    }

    enum Counted: Equatable {
        case dropped, truncated, unanswered
    }

    /// What is known of one type.
    private struct Kind {
        var instances = 0
        var isOverflown = false
        /// Avahi has not yet named all it knows.
        var isListing = true
    }

    private let limit: Int
    private var kinds: [String: Kind]
    /// Every open resolver, with its latest answer.
    private var tracked: [Sighting.Key: Sighting?] = [:]
    private var lost: LostSightings
    /// Named before the listing was complete and not answered yet: `settled` waits for them.
    private var awaited: Set<Sighting.Key> = []
    private var isSettled = false
    private var named: [Link: Int] = [:]
    /// Links on which nothing can be heard, though Avahi may go on naming what it heard.
    private var away: Set<Link> = []
    private var silent: Set<Sighting.Key> = []

    init(types: [String], limit: Int) {
        self.limit = limit
        kinds = Dictionary(types.map { ($0, Kind()) }) { first, _ in first }
        lost = LostSightings(limit: limit)
    }

    /// Instances on the interface and protocol that has the most of them: each of these has a cache of its own.
    var namedOnFullestLink: Int { named.values.max() ?? 0 }

    /// Instances that Avahi names, but could not resolve when it last tried.
    var silentCount: Int { silent.count }

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
            actions.append(.browseAgain(type: type))
        }
        kinds[type] = kind
        return actions + answered(key)
    }

    /// A resolver reported; nil when there is no answer, or no longer one: it stays open and may report again.
    ///
    /// - Parameter isFresh: the resolver was made to ask anew. Where an instance moves to another host, one that was open
    ///   before tells the new host with the old one's address (Avahi 0.8), so only a fresh one is believed then.
    mutating func resolved(
        _ key: Sighting.Key,
        as resolution: Resolution?,
        isFresh: Bool = true,
        link: LinkState,
        now: Instant
    ) -> [Action] {
        guard let known = tracked[key] else { return [] }
        if link == .away, let resolution, !resolution.isLocal {
            // Out of Avahi's cache. It is resolved anew when the link is back.
            away.insert(Link(of: key))
            return answered(key)
        }
        var actions: [Action] = []
        if let resolution {
            let sighting = Sighting(key, resolution)
            if !isFresh, let known, known.host != sighting.host { return [.resolveAnew(key)] }
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

    /// Avahi refused to resolve the instance: it stays known, so that its disappearance makes room.
    mutating func refused(_ key: Sighting.Key) -> [Action] {
        answered(key)
    }

    mutating func listed(type: String) -> [Action] {
        kinds[type]?.isListing = false
        return settle()
    }

    /// Somebody doubts what is known of an instance.
    func refresh(_ instance: ServiceInstance) -> [Action] {
        tracked.keys.filter { $0.instance == instance }.map { .resolveAnew($0) }
    }

    /// Links came or went, perhaps without a word of Avahi's: a cable was pulled. What was heard on one that went is lost,
    /// but for what this machine announces itself; on one that is back all is resolved anew.
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
                actions.append(.resolveAnew(key))
            }
        }
        return actions
    }

    /// All that is known now.
    var retelling: [SightingEvent] { tracked.values.compactMap { $0 }.map { .sighted($0) } }

    /// What was lost for so long that it counts as gone.
    mutating func expire(now: Instant, isAway: (Sighting.Key) -> Bool) -> [Action] {
        lost.takeExpired(now: now, isAway: isAway).map { .tell(.vanished($0)) }
    }

    /// When to call `expire`; nil while nothing is lost.
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
        // It is empty, but as large as it ever was.
        awaited = []
        return [.tell(.settled)]
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
