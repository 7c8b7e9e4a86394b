// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import Platform

/// Saver of the user's part of the list: one save at a time, and in the background those that no caller waits for.
///
/// It belongs to one actor, whose isolation all of it runs in.
final class ListSaver {
    private let store: EndpointStore
    private let limits: RegistryLimits
    private let loop: any EventLoop
    /// Why the list was not saved when that was tried last.
    private(set) var failure: String?
    /// Done when the last turn that anyone asked for is over.
    private var lastTurn: EventLoopFuture<Void>
    private let requests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ store: EndpointStore, _ limits: RegistryLimits, loop: any EventLoop) {
        self.store = store
        self.limits = limits
        self.loop = loop
        lastTurn = loop.makeSucceededVoidFuture()
    }

    /// Has `keepSaved` save.
    func request() { requests.continuation.yield() }

    /// Saves what changed without a caller that waits for it, until it is cancelled, and then for the last time.
    func keepSaved(_ contents: () -> EndpointFile) async {
        var failures = Backoff(shortest: limits.savePause, longest: limits.longestSavePause)
        var random = SystemRandomNumberGenerator()
        for await _ in requests.stream {
            await saveQuietly(contents)
            if failure == nil { failures.reset() }
            var rest = failure == nil ? limits.savePause : failures.pause(using: &random)
            do {
                // Waits in steps, because a save that somebody waits for may succeed meanwhile and end the long pause.
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

    /// What cannot be saved now is tried again; until then status says so.
    private func saveQuietly(_ contents: () -> EndpointFile) async {
        try? await inTurn { try await save(contents()) }
    }

    /// Saves now. To be called in turn only.
    func save(_ contents: EndpointFile) async throws {
        do {
            try await store.save(contents)
            failure = nil
        } catch {
            failure = "\(error)"
            // Without another change too: a full disk does not stay full.
            request()
            throw error
        }
    }

    /// Runs one body at a time, so that each writes what was saved before and its own change.
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
