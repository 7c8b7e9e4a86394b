// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

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

    private let state = Mutex(State())

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
