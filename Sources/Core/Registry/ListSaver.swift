// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import Platform

/// Saves the user's part of the list, one save at a time. Changes that no caller waits for are saved in the background.
///
/// It belongs to one actor and runs only in that actor's isolation.
final class ListSaver {
    private let store: EndpointStore
    private let limits: RegistryLimits
    private let loop: any EventLoop
    /// The reason why the last attempt to save failed; nil if it succeeded.
    private(set) var failure: String?
    /// Completes when the last requested turn is over.
    private var lastTurn: EventLoopFuture<Void>
    private let requests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ store: EndpointStore, _ limits: RegistryLimits, loop: any EventLoop) {
        self.store = store
        self.limits = limits
        self.loop = loop
        lastTurn = loop.makeSucceededVoidFuture()
    }

    /// Asks `keepSaved` to save.
    func request() { requests.continuation.yield() }

    /// Saves changes that no caller waits for, until the task is cancelled, and then a last time.
    func keepSaved(_ contents: () -> EndpointFile) async {
        var failures = Backoff(shortest: limits.savePause, longest: limits.longestSavePause)
        var random = SystemRandomNumberGenerator()
        for await _ in requests.stream {
            await saveQuietly(contents)
            if failure == nil { failures.reset() }
            var rest = failure == nil ? limits.savePause : failures.pause(using: &random)
            do {
                // Sleep in steps, because a save that a caller waits for may succeed meanwhile and end the long
                // backoff.
                repeat {
                    let pause = min(rest, limits.savePause)
                    try await loop.sleep(for: pause)
                    rest -= pause
                } while rest > .zero && failure != nil
            } catch {
                break
            }
        }
        await saveQuietly(contents)
    }

    /// Saves, and ignores a failure: `failure` reports it, and `keepSaved` retries.
    private func saveQuietly(_ contents: () -> EndpointFile) async {
        try? await inTurn { try await save(contents()) }
    }

    /// Saves now. Call only in the body of `inTurn`.
    ///
    /// - Throws: as `EndpointStore.save`.
    func save(_ contents: EndpointFile) async throws {
        do {
            try await store.save(contents)
            failure = nil
        } catch {
            failure = "\(error)"
            // Retry even without another change, because a full disk may have space again.
            request()
            throw error
        }
    }

    /// Runs one body at a time, so that each body writes the last saved list with its own change.
    ///
    /// - Throws: the error of `body`.
    func inTurn<Result, Failure>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let previous = lastTurn
        let turn = loop.makePromise(of: Void.self)
        lastTurn = turn.futureResult
        defer { turn.succeed() }
        try? await previous.get()
        return try await body()
    }
}
