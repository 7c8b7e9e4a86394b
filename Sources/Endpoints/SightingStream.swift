// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The events of one source on the way to their one reader.
///
/// An `AsyncStream` leaves its reader's executor for every event, which costs more than what the reader does with most of
/// them. Here the reader takes all that has come at once, and is suspended only where there is nothing.
///
/// It is not bounded, because no event may be lost: its reader applies each event at once to a state that is bounded.
package final class SightingStream: AsyncSequence, Sendable {
    package typealias Element = SightingEvent
    package typealias Failure = Never

    private struct State {
        var events: [SightingEvent] = []
        var reader: CheckedContinuation<Void, Never>?
        var hasEnded = false
        var onCancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// Tells one more event; after the end it goes nowhere.
    package func yield(_ event: SightingEvent) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.hasEnded else { return nil }
            state.events.append(event)
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Ends it, after what has been told.
    package func finish() {
        state.withLock { state in
            state.hasEnded = true
            state.onCancel = nil
            return state.reader.take()
        }?.resume()
    }

    /// - Parameter body: called once, if the reader's task is cancelled before the end. What was not read is dropped then.
    package func whenCancelled(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onCancel = body }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let stream: SightingStream
        private var taken: ArraySlice<SightingEvent> = []

        fileprivate init(stream: SightingStream) {
            self.stream = stream
        }

        package mutating func next() async -> SightingEvent? { await next(isolation: #isolation) }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> SightingEvent? {
            if taken.isEmpty { taken = await stream.take()[...] }
            return taken.popFirst()
        }
    }

    /// All that has come; empty at the end.
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
