// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
import NIOCore
import Platform

/// What users do, and what is kept for them in the file.
extension EndpointRegistry {
    /// Adds a server by hand. When it returns, the entry is on disk.
    package func add(name: String, url: ServerURL) async throws(RegistryError) -> Endpoint {
        try await add(ManualEntry(name: name, url: url))
    }

    /// Adds a server by hand or from a file of the user's. When it returns, the entry is on disk.
    package func add(
        _ entry: ManualEntry,
        settings: EndpointSettings = EndpointSettings()
    ) async throws(RegistryError) -> Endpoint {
        let fresh: EndpointID
        do { fresh = try .random() } catch { throw .notSaved(reason: "\(error)") }
        let id = try await saving { state throws(RegistryError) in
            let id = try state.add(entry, id: fresh)
            if !settings.isEmpty { try state.set(id, settings) }
            return id
        }
        return try find(id.text)
    }

    /// Makes the entry of a vault from elsewhere again, under its own id, unless the server is known here already.
    ///
    /// - Returns: the id that the server has here.
    package func takeIn(name: String, url: ServerURL, id: EndpointID) async throws(RegistryError) -> EndpointID {
        try await saving { state throws(RegistryError) in
            if let known = state.known(url, id: id) { return known }
            let isFree = EndpointName.isValid(name) && !state.hasEntry(named: name)
            return try state.add(ManualEntry(name: isFree ? name : id.text, url: url, origin: .imported), id: id)
        }
    }

    /// Forgets that an endpoint was added or used, and what was set for it.
    package func remove(_ id: EndpointID) async throws(RegistryError) {
        _ = try await saving { state throws(RegistryError) in
            try state.remove(id)
            return id
        }
    }

    package func set(_ id: EndpointID, _ settings: EndpointSettings) async throws(RegistryError) -> Endpoint {
        _ = try await saving { state throws(RegistryError) in
            try state.set(id, settings)
            return id
        }
        return try find(id.text)
    }

    /// Keeps an endpoint in the list when it is no longer announced, because somebody uses it. To be called
    /// whenever a login is stored for it or an adapter leads to it: where it is then is what it is recognised by; `keepSaved` writes it down.
    package func remember(_ id: EndpointID) {
        state.remember(id)
        publish()
    }

    /// Saves what changed without anybody waiting for it, until it is cancelled, and then for the last time. Where a server
    /// was sighted last may change often: it is saved after a while, and seldom.
    package func keepSaved() async {
        var failures = Backoff(shortest: limits.savePause, longest: limits.longestSavePause)
        var random = SystemRandomNumberGenerator()
        for await _ in unsaved.stream {
            await saveQuietly()
            if unsavedReason == nil { failures.reset() }
            var rest = unsavedReason == nil ? limits.savePause : failures.pause(using: &random)
            do {
                // Waits in steps, because a save of `add` or `set` may succeed meanwhile and end the long pause.
                repeat {
                    let pause = min(rest, limits.savePause)
                    try await loop.sleep(for: pause)
                    rest -= pause
                } while rest > .zero && unsavedReason != nil
            } catch {
                break
            }
        }
        await saveQuietly()
    }

    /// What cannot be saved now is tried again; until then status tells.
    private func saveQuietly() async {
        try? await inTurn { try await save() }
    }

    private func save() async throws {
        do {
            try await store.save(EndpointFile(state.keepsakes))
            unsavedReason = nil
        } catch {
            unsavedReason = "\(error)"
            // Without another change too: a full disk does not stay full.
            unsaved.continuation.yield()
            throw error
        }
    }

    /// Makes a change to one endpoint and saves the list; a change that cannot be saved is taken back.
    ///
    /// - Parameter change: returns the id of the endpoint that it changed.
    private func saving(
        _ change: (inout RegistryState) throws(RegistryError) -> EndpointID
    ) async throws(RegistryError) -> EndpointID {
        try await inTurn { () throws(RegistryError) in
            let before = state
            var after = state
            let id = try change(&after)
            state = after
            publish()
            do {
                try await save()
            } catch {
                state.putBack(before.keepsake(id))
                publish()
                if case .versionTooNew = error as? StateFileError { throw .listTooNew(reason: "\(error)") }
                throw .notSaved(reason: "\(error)")
            }
            return id
        }
    }

    /// One at a time, so that what is written is what was saved before and this change.
    private func inTurn<Result, Failure>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let previous = lastChange
        let turn = loop.makePromise(of: Void.self)
        lastChange = turn.futureResult
        defer { turn.succeed() }
        try? await previous.get()
        return try await body()
    }
}
