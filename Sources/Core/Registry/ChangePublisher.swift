// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The watchers, and the changes that they are sent: at most `changesPerSecond` in any one second.
struct ChangePublisher {
    typealias Continuation = AsyncThrowingStream<RegistryUpdate, any Error>.Continuation

    private struct Watcher {
        let continuation: Continuation
        /// The endpoint that it watches; nil for all.
        let endpoint: EndpointID?

        func wants(_ change: RegistryChange) -> Bool { endpoint == nil || endpoint == change.endpoint.id }
    }

    /// The revision of the list. It increases by one with each change.
    private(set) var revision: UInt64
    /// Watchers that were ended because they were too slow, since the start.
    private(set) var endedWatchers = 0
    private let limits: RegistryLimits
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

    var watcherCount: Int { watchers.count }

    // MARK: Watchers

    /// Adds a watcher. Sends it the list as other watchers have it, or the changes since `since` if they are still
    /// recorded.
    ///
    /// - Parameter endpoint: the endpoint to watch; nil for all.
    /// - Returns: the watcher's number.
    /// - Throws: `tooManyWatchers`.
    mutating func join(
        _ continuation: Continuation,
        _ endpoint: EndpointID?,
        since: UInt64?,
        in state: inout RegistryState
    ) throws(RegistryError) -> UInt64 {
        guard watchers.count < limits.watchers else { throw .tooManyWatchers(limit: limits.watchers) }
        if !state.table.pending.isRecording {
            countUnrecorded(in: &state)
            state.table.pending.isRecording = true
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
            let shown = state.table.sentEndpoint(endpoint)
            continuation.yield(.snapshot(revision: revision, EndpointList(shown.map { [$0] } ?? [])))
        } else {
            continuation.yield(.snapshot(revision: revision, state.table.sentEndpoints))
        }
        return lastWatcher
    }

    mutating func leave(_ watcher: UInt64) { watchers[watcher] = nil }

    // MARK: Changes

    /// Counts the changes that were made while there was no watcher.
    mutating func countUnrecorded(in state: inout RegistryState) {
        revision += state.table.pending.takeUnrecorded()
    }

    /// Sends watchers as many changes as the rate limit allows now. A watcher whose queue of `watcherBacklog` changes
    /// is full is ended.
    ///
    /// - Parameter now: nanoseconds of the clock of `ChangeRateLimiter`.
    /// - Returns: when more may be sent, on the same clock; nil if nothing waits.
    mutating func send(from state: inout RegistryState, at now: UInt64) -> UInt64? {
        countUnrecorded(in: &state)
        while !state.table.pending.isEmpty {
            let onlyUrgent = rate.next(isUrgent: false) > now
            guard rate.next(isUrgent: true) <= now, let change = state.table.nextChange(onlyUrgent: onlyUrgent) else {
                guard !state.table.pending.isEmpty else { return nil }
                // If the whole budget is used, wait for it. Otherwise only the share of urgent changes is left and no
                // urgent change waits, so wait until another one may be sent.
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

/// Endpoints that may have changed since watchers were last notified, with the state that watchers have of each. FIFO,
/// except that endpoints which the user added or used go first. While nothing is recorded, changes are only counted.
struct PendingChanges: Sendable {
    /// Whether changes are recorded: while there is a watcher, and for `resumeTime` after the last one. Changes that
    /// still wait at the end are only counted.
    var isRecording = false {
        didSet {
            guard !isRecording else { return }
            unrecorded += UInt64(lastSent.count)
            lastSent = [:]
            (urgent, others) = (Lane(), Lane())
        }
    }
    /// The state that watchers have of each endpoint; nil for an endpoint that they do not know.
    private(set) var lastSent: [EndpointID: Endpoint?] = [:]
    private var urgent = Lane<EndpointID>()
    private var others = Lane<EndpointID>()
    /// Changes that were merged with an earlier one.
    private(set) var folded: UInt64 = 0
    /// Changes that were only counted.
    private var unrecorded: UInt64 = 0

    var isEmpty: Bool { lastSent.isEmpty }

    var count: Int { lastSent.count }

    /// Counts a change.
    ///
    /// - Returns: whether `record` must be called. It need not be if the change merges with one that waits.
    mutating func count(_ id: EndpointID) -> Bool {
        guard isRecording else {
            unrecorded += 1
            return false
        }
        guard lastSent[id] == nil else {
            folded += 1
            return false
        }
        return true
    }

    /// Records that an endpoint will change.
    ///
    /// - Parameter before: its present state; nil if it does not exist.
    mutating func record(_ id: EndpointID, before: Endpoint?, isKept: Bool) {
        lastSent[id] = .some(before)
        if isKept { urgent.append(id) } else { others.append(id) }
    }

    /// Sends the change of an endpoint before others.
    mutating func expedite(_ id: EndpointID) {
        if lastSent[id] != nil { urgent.append(id) }
    }

    /// Removes and returns the next endpoint, with the state that watchers have.
    mutating func next(onlyUrgent: Bool) -> (id: EndpointID, sent: Endpoint?)? {
        while let id = urgent.pop() ?? (onlyUrgent ? nil : others.pop()) {
            if let sent = lastSent.removeValue(forKey: id) { return (id, sent) }
        }
        return nil
    }

    mutating func takeUnrecorded() -> UInt64 {
        defer { unrecorded = 0 }
        return unrecorded
    }
}

/// What the owner of a table has to do after changes.
struct TableEffects: Sendable {
    /// Endpoints that are or were kept, and whose probing may have to change.
    var staleTargets: Set<EndpointID> = []
    /// Whether the user's part of the list has changed without a caller that waits until it is saved.
    var isUnsaved = false
    /// Whether there is capacity again for sightings that were dropped.
    var endsShortage = false
}

/// Ring buffer of the latest changes that were sent to watchers, so that a watcher that reconnects receives those that
/// it missed.
struct ChangeHistory: Sendable {
    private let capacity: Int
    /// A ring buffer once it is full: then the oldest change is at `oldest`.
    private var changes: [RegistryChange] = []
    private var oldest = 0
    /// The revision of the newest change. Each change has one more than the change before it.
    private var revision: UInt64 = 0

    /// - Parameter capacity: the number of changes that are kept, at least 1.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Restarts the history at `revision`. Earlier changes were not recorded, because there was no watcher, so a
    /// watcher cannot resume from an earlier revision.
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

    /// Returns the changes after `revision`, oldest first; nil if the history does not have all of them.
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

/// Sliding-window rate limiter: at most `perSecond` changes in any one-second window. A tenth of the budget, and at
/// least one change if `perSecond` is 2 or more, is reserved for urgent changes, so that a flood of others cannot delay
/// them.
struct ChangeRateLimiter: Sendable {
    private var all: Ring
    private var others: Ring

    init(perSecond: Int) {
        let perSecond = max(1, perSecond)
        all = Ring(count: perSecond)
        others = Ring(count: max(1, perSecond - max(1, perSecond / 10)))
    }

    /// Returns when the next change may be sent, in nanoseconds of the same clock; 0 for at any time.
    func next(isUrgent: Bool) -> UInt64 { isUrgent ? all.next : max(all.next, others.next) }

    /// Counts a change if it may be sent now.
    ///
    /// - Parameter now: nanoseconds of a monotonic clock, more than 0.
    /// - Returns: whether the change may be sent now.
    mutating func take(at now: UInt64, isUrgent: Bool) -> Bool {
        guard next(isUrgent: isUrgent) <= now else { return false }
        all.note(now)
        if !isUrgent { others.note(now) }
        return true
    }

    /// The times of the last changes. The earliest is at `oldest`. 0 means none.
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

/// A version of the list. While it stays the same, every endpoint stays the same.
package struct ListEdition: Sendable, Hashable {
    /// The revision: changes that were sent to watchers, or only counted.
    package let revision: UInt64
    /// Changes of the state, sent or not.
    let changes: UInt64
}

/// A difference between two states of the registry. All changes applied to an empty list give the list.
package enum RegistryChange: Sendable, Hashable {
    case added(Endpoint)
    case changed(Endpoint)
    case removed(Endpoint)

    /// The endpoint that appeared, changed or went.
    package var endpoint: Endpoint {
        switch self {
        case .added(let endpoint), .changed(let endpoint), .removed(let endpoint): endpoint
        }
    }
}

/// An event of a watch: first the whole state, or the revision from which the watch resumes; then every change with its
/// revision.
///
/// Indirect, because one change waits in the queues of many watchers.
package indirect enum RegistryUpdate: Sendable, Equatable {
    case resumed(revision: UInt64)
    case snapshot(revision: UInt64, EndpointList)
    case change(revision: UInt64, RegistryChange)
}
