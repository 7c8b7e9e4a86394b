// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Decides what to resolve and what to tell, from what Avahi reports during one connection.
struct BrowseState {
    enum Action: Equatable {
        case resolve(Sighting.Key)
        case release(Sighting.Key)
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
    /// Named before the listing was complete and not answered yet: `settled` waits for them.
    private var awaited: Set<Sighting.Key> = []
    private var isSettled = false

    init(types: [String], limit: Int) {
        self.limit = limit
        kinds = Dictionary(types.map { ($0, Kind()) }) { first, _ in first }
    }

    mutating func appeared(_ key: Sighting.Key, of type: String) -> [Action] {
        guard tracked[key] == nil, var kind = kinds[type] else { return [] }
        guard kind.instances < limit else {
            kinds[type]?.isOverflown = true
            return [.count(.dropped)]
        }
        kind.instances += 1
        kinds[type] = kind
        tracked[key] = .some(nil)
        if isListing { awaited.insert(key) }
        return [.resolve(key)]
    }

    mutating func disappeared(_ key: Sighting.Key, of type: String) -> [Action] {
        guard let sighting = tracked.removeValue(forKey: key), var kind = kinds[type] else { return [] }
        var actions: [Action] = [.release(key)]
        if sighting != nil { actions.append(.tell(.vanished(key))) }
        kind.instances -= 1
        if kind.isOverflown, kind.instances <= limit / 4 * 3 {
            kind.isOverflown = false
            actions.append(.browseAgain(type: type))
        }
        kinds[type] = kind
        return actions + answered(key)
    }

    /// A resolver reported; nil when there is no answer, or no longer one: it stays open and may report again.
    mutating func resolved(_ key: Sighting.Key, as resolution: Resolution?) -> [Action] {
        guard let known = tracked[key] else { return [] }
        var actions: [Action] = []
        if let resolution {
            let sighting = Sighting(key, resolution)
            if resolution.txt.isTruncated { actions.append(.count(.truncated)) }
            if sighting != known { actions.append(.tell(.sighted(sighting))) }
            tracked[key] = sighting
        } else {
            actions.append(.count(.unanswered))
            if known != nil { actions.append(.tell(.vanished(key))) }
            tracked[key] = .some(nil)
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

    private var isListing: Bool { kinds.values.contains { $0.isListing } }

    private mutating func answered(_ key: Sighting.Key) -> [Action] {
        awaited.remove(key) == nil ? [] : settle()
    }

    private mutating func settle() -> [Action] {
        guard !isSettled, awaited.isEmpty, !isListing else { return [] }
        isSettled = true
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
