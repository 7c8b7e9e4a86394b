// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// Watchers, and the changes that they are sent, at most `changesPerSecond` in any one second.
struct ChangePublisher {
    typealias Continuation = AsyncThrowingStream<RegistryUpdate, any Error>.Continuation

    private struct Watcher {
        let continuation: Continuation
        /// nil for all endpoints.
        let endpoint: EndpointID?

        func wants(_ change: RegistryChange) -> Bool { endpoint == nil || endpoint == change.endpoint.id }
    }

    /// Counts changes.
    private(set) var revision: UInt64
    /// Watchers that were too slow, since the start.
    private(set) var endedWatchers = 0
    /// Whether changes are kept: while there is a watcher, and for `resumeTime` after the last one.
    private(set) var isRecording = false
    private let limits: RegistryLimits
    private var pending = PendingChanges()
    private var history: ChangeHistory
    private var rate: ChangeRateLimiter
    private var watchers: [UInt64: Watcher] = [:]
    private var lastWatcher: UInt64 = 0

    init(_ limits: RegistryLimits, firstRevision: UInt64) {
        self.limits = limits
        revision = firstRevision
        history = ChangeHistory(capacity: limits.history)
        rate = ChangeRateLimiter(perSecond: limits.changesPerSecond)
    }

    /// Changes that wait; nil while they are only counted.
    var recorded: PendingChanges? { isRecording ? pending : nil }

    var waitingChanges: Int { pending.count }

    var foldedChanges: UInt64 { pending.folded }

    var watcherCount: Int { watchers.count }

    /// Whether changes are recorded although nobody watches.
    var isAbandoned: Bool { isRecording && watchers.isEmpty }

    // MARK: Watchers

    /// Adds a watcher, and sends it the list as other watchers have it, or the changes since `since` where they are known.
    ///
    /// - Parameter endpoint: the one that it watches; nil for all.
    /// - Returns: its number.
    mutating func join(
        _ continuation: Continuation,
        _ endpoint: EndpointID?,
        since: UInt64?,
        in state: RegistryState
    ) throws(RegistryError) -> UInt64 {
        guard watchers.count < limits.watchers else { throw .tooManyWatchers(limit: limits.watchers) }
        if !isRecording {
            isRecording = true
            history.begin(at: revision)
        }
        let watcher = Watcher(continuation: continuation, endpoint: endpoint)
        lastWatcher += 1
        watchers[lastWatcher] = watcher
        if let since, let missed = history.changes(since: since) {
            continuation.yield(.resumed(revision: since))
            for (revision, change) in missed where watcher.wants(change) {
                continuation.yield(.change(revision: revision, change))
            }
        } else if let endpoint {
            let shown = pending.sentEndpoint(endpoint, in: state)
            continuation.yield(.snapshot(revision: revision, shown.map { [$0] } ?? []))
        } else {
            continuation.yield(.snapshot(revision: revision, pending.sentEndpoints(in: state)))
        }
        return lastWatcher
    }

    mutating func leave(_ watcher: UInt64) { watchers[watcher] = nil }

    /// Stops recording changes.
    mutating func endRecording() {
        revision += UInt64(pending.count)
        isRecording = false
        pending.removeAll()
    }

    // MARK: Changes

    mutating func add(_ changes: StateChanges) {
        revision += changes.unrecorded
        pending.add(changes)
    }

    /// Sends watchers as many changes as they may be sent now. A watcher that falls `watcherBacklog` changes behind is
    /// ended.
    ///
    /// - Parameter now: in nanoseconds, as `ChangeRateLimiter` takes it.
    /// - Returns: when more may be sent; nil if nothing waits.
    mutating func send(from state: RegistryState, at now: UInt64) -> UInt64? {
        while !pending.isEmpty {
            let onlyUrgent = rate.next(isUrgent: false) > now
            guard rate.next(isUrgent: true) <= now, let change = pending.next(in: state, onlyUrgent: onlyUrgent) else {
                guard !pending.isEmpty else { return nil }
                // Where only the share of the urgent ones is left, when another may be sent.
                let next = rate.next(isUrgent: true)
                return next > now ? next : rate.next(isUrgent: false)
            }
            _ = rate.take(at: now, isUrgent: onlyUrgent)
            send(change)
        }
        return nil
    }

    private mutating func send(_ change: RegistryChange) {
        revision += 1
        history.append(change)
        let update = RegistryUpdate.change(revision: revision, change)
        for (number, watcher) in watchers where watcher.wants(change) {
            if case .dropped = watcher.continuation.yield(update) {
                watcher.continuation.finish(throwing: RegistryError.watcherTooSlow)
                endedWatchers += 1
                watchers[number] = nil
            }
        }
    }
}

/// Changes that one call made to a `RegistryState`.
struct StateChanges: Sendable {
    /// Recorded step, in the order in which it was made.
    enum Step: Sendable, Hashable {
        /// An endpoint changes. `before` is what it was, nil for one that did not exist.
        case changed(EndpointID, before: Endpoint?, isKept: Bool)
        /// A person has added or used an endpoint: it goes before others.
        case expedited(EndpointID)
    }

    /// Each endpoint changes once here; empty while changes are not recorded.
    private(set) var steps: [Step] = []
    /// Changes that became one with an earlier one.
    private(set) var folded: UInt64 = 0
    /// Changes that were not recorded.
    private(set) var unrecorded: UInt64 = 0
    /// Endpoints that are or were kept: they may have to be probed in another way than before.
    private(set) var staleTargets: Set<EndpointID> = []
    /// The user's part of the list changed, and no caller waits until it is saved.
    private(set) var isUnsaved = false
    /// There is room again for sightings that were dropped.
    var endsShortage = false

    /// The first endpoint that changed. Most calls change no other, and the change itself costs less than a set.
    private var first: EndpointID?
    private var others: Set<EndpointID> = []

    /// Counts a change.
    ///
    /// - Parameter pending: earlier changes that wait; nil while changes are only counted.
    /// - Returns: whether it has to be recorded: it folds into none of `pending` and none of these.
    mutating func count(_ id: EndpointID, beside pending: PendingChanges?) -> Bool {
        guard let isPending = pending?.contains(id) else {
            unrecorded += 1
            return false
        }
        guard !isPending, note(id) else {
            folded += 1
            return false
        }
        return true
    }

    /// - Returns: whether this is the first change of the endpoint.
    private mutating func note(_ id: EndpointID) -> Bool {
        guard let first else {
            first = id
            return true
        }
        return id != first && others.insert(id).inserted
    }

    /// Records a change that `count` returned true for.
    mutating func record(_ id: EndpointID, before: Endpoint?, isKept: Bool) {
        steps.append(.changed(id, before: before, isKept: isKept))
    }

    mutating func expedite(_ id: EndpointID) { steps.append(.expedited(id)) }

    mutating func noteStaleTarget(_ id: EndpointID) { staleTargets.insert(id) }

    mutating func noteUnsaved() { isUnsaved = true }
}

/// Endpoints that may have changed since watchers were last notified, with the state that watchers have of each. FIFO,
/// except that endpoints which a person added or used go first.
struct PendingChanges: Sendable {
    /// What watchers have of each; nil for one that they do not know.
    private var lastSent: [EndpointID: Endpoint?] = [:]
    private var urgent = Lane<EndpointID>()
    private var others = Lane<EndpointID>()
    /// Changes that became one with an earlier one.
    private(set) var folded: UInt64 = 0

    var isEmpty: Bool { lastSent.isEmpty }

    var count: Int { lastSent.count }

    func contains(_ id: EndpointID) -> Bool { lastSent[id] != nil }

    mutating func add(_ changes: StateChanges) {
        folded += changes.folded
        for step in changes.steps {
            switch step {
            case .changed(let id, let before, let isKept):
                lastSent[id] = .some(before)
                if isKept { urgent.append(id) } else { others.append(id) }
            case .expedited(let id):
                if contains(id) { urgent.append(id) }
            }
        }
    }

    /// Takes the next difference between what watchers have and `state`; nil when there is none.
    ///
    /// - Parameter onlyUrgent: leaves those for later that are not of an endpoint which a person added or used.
    mutating func next(in state: RegistryState, onlyUrgent: Bool = false) -> RegistryChange? {
        while let id = urgent.pop() ?? (onlyUrgent ? nil : others.pop()) {
            guard let sent = lastSent.removeValue(forKey: id) else { continue }
            switch (sent, state.endpoint(id)) {
            case (nil, let new?): return .added(new)
            case (let old?, nil): return .removed(old)
            case (let old?, let new?) where old != new: return .changed(new)
            default: continue
            }
        }
        return nil
    }

    /// The list as watchers have it.
    func sentEndpoints(in state: RegistryState) -> [Endpoint] {
        guard !isEmpty else { return state.endpoints }
        return RegistryState.sorted(state.endpoints { !contains($0) } + lastSent.values.compactMap { $0 })
    }

    /// One endpoint as watchers have it.
    func sentEndpoint(_ id: EndpointID, in state: RegistryState) -> Endpoint? {
        lastSent[id] ?? state.endpoint(id)
    }

    /// Forgets all but how many were folded.
    mutating func removeAll() {
        let folded = folded
        self = PendingChanges()
        self.folded = folded
    }
}

/// Ring buffer of the latest changes that were sent to watchers, so that a watcher that reconnects receives those that it
/// missed.
struct ChangeHistory: Sendable {
    private let capacity: Int
    /// A ring once it is full: the oldest is at `oldest`.
    private var changes: [RegistryChange] = []
    private var oldest = 0
    /// Of the newest; each has one more than the one before it.
    private var revision: UInt64 = 0

    /// - Parameter capacity: changes that are kept, at least 1.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Restarts the history at `revision`. Earlier changes were not recorded, because there was no watcher, so a watcher
    /// cannot resume from an earlier revision.
    mutating func begin(at revision: UInt64) {
        changes.removeAll()
        oldest = 0
        self.revision = revision
    }

    mutating func append(_ change: RegistryChange) {
        revision += 1
        if changes.count < capacity {
            changes.append(change)
        } else {
            changes[oldest] = change
            oldest = (oldest + 1) % capacity
        }
    }

    /// Returns the changes after `revision`, oldest first; nil where they are not known.
    func changes(since revision: UInt64) -> [(revision: UInt64, change: RegistryChange)]? {
        guard revision <= self.revision, self.revision - revision <= UInt64(changes.count) else { return nil }
        let count = Int(self.revision - revision)
        return (changes.count - count..<changes.count).map { index in
            (
                self.revision - UInt64(changes.count - 1 - index),
                changes[(oldest + index) % changes.count]
            )
        }
    }
}

/// Sliding-window rate limiter: at most `perSecond` changes in any one-second window. A tenth of the budget, and at least
/// one change if `perSecond` is 2 or more, is reserved for urgent changes, so that a flood of others cannot delay them.
struct ChangeRateLimiter: Sendable {
    private var all: Ring
    private var others: Ring

    init(perSecond: Int) {
        let perSecond = max(1, perSecond)
        all = Ring(count: perSecond)
        others = Ring(count: max(1, perSecond - max(1, perSecond / 10)))
    }

    /// When the next one may go through, in nanoseconds of the same clock; 0 for at any time.
    func next(isUrgent: Bool) -> UInt64 { isUrgent ? all.next : max(all.next, others.next) }

    /// - Parameter now: nanoseconds of a clock that does not go back, more than 0.
    /// - Returns: whether one more goes through now.
    mutating func take(at now: UInt64, isUrgent: Bool) -> Bool {
        guard next(isUrgent: isUrgent) <= now else { return false }
        all.note(now)
        if !isUrgent { others.note(now) }
        return true
    }

    /// When the last ones went through: the one at `oldest` was the first of them. 0 for none.
    private struct Ring: Sendable {
        private static let second: UInt64 = 1_000_000_000

        private var times: [UInt64]
        private var oldest = 0

        init(count: Int) { times = Array(repeating: 0, count: count) }

        var next: UInt64 { times[oldest] == 0 ? 0 : times[oldest] + Self.second }

        mutating func note(_ now: UInt64) {
            times[oldest] = now
            oldest = (oldest + 1) % times.count
        }
    }
}

/// Tells one state of the list from another: while it stays the same, so does every endpoint.
package struct ListEdition: Sendable, Hashable {
    /// Changes that were told.
    package let revision: UInt64
    /// Changes of the state, told or not.
    let changes: UInt64
}
