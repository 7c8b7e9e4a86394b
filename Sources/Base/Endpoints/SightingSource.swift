// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// A source of sightings: multicast DNS through Avahi, a DNS domain, or a shared list in etcd.
package protocol SightingSource: Sendable {
    /// The name that is in every key of its sightings.
    var name: SourceName { get }

    /// Starts the source. Call once.
    ///
    /// The stream ends after `stop()`. Cancelling the task that reads it stops the source.
    func events() -> SightingStream

    /// Resolves an instance again, because it does not answer at its last known address. Returns immediately; a
    /// different result arrives as an ordinary event.
    func refresh(_ instance: ServiceInstance)

    /// Sends all current sightings again, because the reader had no capacity for some of them before. Returns
    /// immediately. While the source is down it sends nothing; it sends everything when it is up again.
    func resend()

    /// Ends the stream and releases the source's resources. Returns immediately, even if the source is waiting.
    func stop()
}

/// The stream of one source's events to its only reader.
///
/// `AsyncStream` leaves the reader's executor for every event, which costs more than handling most events. This
/// stream hands over all pending events in one batch, and suspends the reader only if there are none.
///
/// It is unbounded, because no event may be lost. Its reader applies each event immediately to a state that is
/// bounded.
package final class SightingStream: AsyncSequence, Sendable {
    /// An event of the source.
    package typealias Element = SightingEvent
    /// The stream never fails.
    package typealias Failure = Never

    private struct State {
        var events: [SightingEvent] = []
        var reader: CheckedContinuation<Void, Never>?
        var hasEnded = false
        var onCancel: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// An empty stream.
    package init() {}

    /// Appends an event. After the end it is dropped.
    package func yield(_ event: SightingEvent) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.hasEnded else { return nil }
            state.events.append(event)
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Ends the stream after the pending events.
    package func finish() {
        state.withLock { state in
            state.hasEnded = true
            state.onCancel = nil
            return state.reader.take()
        }?.resume()
    }

    /// - Parameter body: called once if the reader's task is cancelled before the end. Unread events are dropped
    ///   then.
    package func whenCancelled(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onCancel = body }
    }

    /// The iterator of the only reader.
    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    /// The reader's position in the stream.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: SightingStream
        private var taken: ArraySlice<SightingEvent> = []

        fileprivate init(stream: SightingStream) {
            self.stream = stream
        }

        /// Returns the next event, after waiting if there is none; nil at the end.
        package mutating func next() async -> SightingEvent? { await next(isolation: #isolation) }

        /// Returns the next event, after waiting if there is none; nil at the end.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> SightingEvent? {
            if taken.isEmpty { taken = await stream.take()[...] }
            return taken.popFirst()
        }
    }

    /// Returns all pending events, after waiting if there are none; empty at the end.
    private func take() async -> [SightingEvent] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { reader in
                let isWorthWaking = state.withLock { state in
                    if state.events.isEmpty, !state.hasEnded {
                        state.reader = reader
                        return false
                    }
                    return true
                }
                if isWorthWaking { reader.resume() }
            }
        } onCancel: {
            cancel()
        }
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    private func cancel() {
        let (reader, onCancel) = state.withLock { state in
            state.hasEnded = true
            state.events = []
            return (state.reader.take(), state.onCancel.take())
        }
        reader?.resume()
        onCancel?()
    }
}

/// The current sightings of a source that reads a complete list each time.
package struct SightingSet: Sendable {
    /// The current sightings by key.
    package private(set) var sightings: [Sighting.Key: Sighting] = [:]

    /// An empty set.
    package init() {}

    /// Replaces the list.
    ///
    /// - Returns: events for removed sightings, then for new and changed ones. Of two sightings with one key the
    ///   first counts.
    package mutating func replace(with list: [Sighting]) -> [SightingEvent] {
        let new = Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
        let gone = sightings.keys.filter { new[$0] == nil }.map { SightingEvent.vanished($0) }
        let fresh = new.values.filter { sightings[$0.key] != $0 }.map { SightingEvent.sighted($0) }
        sightings = new
        return gone + fresh
    }

    /// Events for all sightings, for a reader that has marked them stale or had no capacity for them.
    package var sightedEvents: [SightingEvent] { sightings.values.map { .sighted($0) } }
}
