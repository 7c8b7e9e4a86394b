// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import NIOCore

/// Who hears of changes.
extension EndpointRegistry {
    /// The whole state, then every change. A watcher that falls `watcherBacklog` changes behind is ended with
    /// `RegistryError.watcherTooSlow`; cancelling the reading task ends the watch.
    ///
    /// At most `changesPerSecond` changes are told: where there are more, those of one endpoint become one, and endpoints
    /// that a person added or used come first. So the fold of all that was told is the list, a little later.
    ///
    /// - Parameters:
    ///   - endpoint: the one endpoint to tell of, which is in use meanwhile; nil for all.
    ///   - since: the revision that the watcher has heard last. Where the changes since then are still known, they take
    ///     the place of the whole state.
    package func watch(
        _ endpoint: EndpointID? = nil,
        since: UInt64? = nil
    ) throws(RegistryError) -> AsyncThrowingStream<RegistryUpdate, any Error> {
        guard watchers.count < limits.watchers else { throw .tooManyWatchers(limit: limits.watchers) }
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: RegistryUpdate.self,
            bufferingPolicy: .bufferingOldest(limits.watcherBacklog)
        )
        nextWatcher += 1
        let watcher = nextWatcher
        beginTelling()
        let joining = Watcher(continuation: continuation, endpoint: endpoint)
        watchers[watcher] = joining
        if let endpoint { beginUse(of: endpoint) }
        continuation.onTermination = { [loop] _ in
            loop.execute {
                self.assumeIsolated { registry in
                    registry.leave(watcher)
                    if let endpoint { registry.endUse(of: endpoint) }
                }
            }
        }
        if let since, let missed = history.changes(since: since) {
            continuation.yield(.resumed(revision: since))
            for (revision, change) in missed where joining.wants(change) {
                continuation.yield(.change(revision: revision, change))
            }
        } else {
            let shown = endpoint.map { id in state.toldEndpoint(id).map { [$0] } ?? [] } ?? state.toldEndpoints
            continuation.yield(.snapshot(revision: revision, shown))
        }
        return stream
    }

    private func leave(_ watcher: UInt64) {
        watchers[watcher] = nil
        guard watchers.isEmpty, state.isWatched, forgetting == nil else { return }
        forgetting = loop.scheduleTask(in: TimeAmount(limits.resumeTime)) {
            self.assumeIsolated { $0.endTelling() }
        }
    }

    private func beginTelling() {
        forgetting?.cancel()
        forgetting = nil
        guard !state.isWatched else { return }
        state.isWatched = true
        history.begin(at: revision)
    }

    private func endTelling() {
        forgetting = nil
        revision += UInt64(state.pending.told.count)
        state.isWatched = false
        telling?.cancel()
        telling = nil
    }

    /// To be called after anything changed: tells watchers as much as they may be told now.
    func publish() {
        revision += state.takeUnwatched()
        if state.isUnsaved {
            state.isUnsaved = false
            unsaved.continuation.yield()
        }
        for id in state.takeUnreviewed() { review(id) }
        if state.takeEndOfShortage() { retellSoon() }
        let now = NIODeadline.now().uptimeNanoseconds
        while state.hasChanges {
            let onlyUrgent = rate.next(isUrgent: false) > now
            guard rate.next(isUrgent: true) <= now, let change = state.nextChange(onlyUrgent: onlyUrgent) else {
                tellLater(than: now)
                return
            }
            _ = rate.take(at: now, isUrgent: onlyUrgent)
            tell(change)
        }
    }

    /// When any may go through again; where only the share of the urgent ones is left, when another may.
    private func tellLater(than now: UInt64) {
        guard telling == nil, state.hasChanges else { return }
        let next = rate.next(isUrgent: true)
        telling = loop.scheduleTask(deadline: .uptimeNanoseconds(next > now ? next : rate.next(isUrgent: false))) {
            self.assumeIsolated { registry in
                registry.telling = nil
                registry.publish()
            }
        }
    }

    private func tell(_ change: RegistryChange) {
        revision += 1
        history.append(change)
        let update = RegistryUpdate.change(revision: revision, change)
        for (number, watcher) in watchers where watcher.wants(change) {
            if case .dropped = watcher.continuation.yield(update) {
                watcher.continuation.finish(throwing: RegistryError.watcherTooSlow)
                endedWatchers += 1
                leave(number)
            }
        }
    }
}
