// SPDX-License-Identifier: Apache-2.0

/// Streams of adapter events, one for each watcher.
struct AdapterWatchers {
    private static let limit = 64
    /// The number of events that may wait for a watcher.
    private static let backlog = 256

    private var continuations: [Int: AsyncStream<AdapterEvent>.Continuation] = [:]
    private var last = 0

    var count: Int { continuations.count }

    /// Adds a watcher.
    ///
    /// - Parameter onEnd: called with the watcher's number when its stream ends; the caller then calls `remove`.
    /// - Throws: `BrokerError.tooManyWatchers`
    mutating func add(onEnd: @escaping @Sendable (Int) -> Void) throws(BrokerError) -> AsyncStream<AdapterEvent> {
        guard continuations.count < Self.limit else { throw .tooManyWatchers(limit: Self.limit) }
        let (events, continuation) = AsyncStream.makeStream(
            of: AdapterEvent.self,
            bufferingPolicy: .bufferingOldest(Self.backlog)
        )
        last += 1
        continuations[last] = continuation
        continuation.onTermination = { [number = last] _ in onEnd(number) }
        return events
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    /// Sends an event to all watchers. The stream of a watcher ends if too many events wait for it.
    mutating func send(_ event: AdapterEvent) {
        for (number, continuation) in continuations {
            guard case .dropped = continuation.yield(event) else { continue }
            continuations[number] = nil
            continuation.finish()
        }
    }
}
