// SPDX-License-Identifier: Apache-2.0

import Endpoints

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
