// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import NIOCore
import Platform

/// Owns the `RegistryState`: applies what sources and users say, saves the user's part, and tells watchers.
package actor EndpointRegistry {
    private let loop: any EventLoop
    private let store: EndpointStore
    private let limits: RegistryLimits
    var state: RegistryState
    private var revision: UInt64 = 0
    private var watchers: [UInt64: Watcher] = [:]
    private var nextWatcher: UInt64 = 0
    /// Done when the last change that anyone asked for is saved or taken back.
    private var lastChange: EventLoopFuture<Void>

    private static let notStarted = SourceState.down(reason: "discovery has not started")
    private var source = EndpointRegistry.notStarted
    private var isSettled = false
    /// Resumed when the source has said all it knew at first, or does not work.
    private var settling: [EventLoopPromise<Void>] = []
    /// On a cold cache an answer may come a little after the source said that it had settled: what was known before it
    /// went away is kept for so long, so that a restart below is not seen as servers going and coming.
    private static let grace = TimeAmount.seconds(1)
    private var forgetting: Scheduled<Void>?
    /// Whoever probes listens here.
    var probing: AsyncStream<ProbeEvent>.Continuation?
    var targets = ProbeTargets()
    private var upSince: NIODeadline?
    private var heardAt: NIODeadline?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    package init(loop: any EventLoop, store: EndpointStore, limits: RegistryLimits = RegistryLimits()) {
        self.loop = loop
        self.store = store
        self.limits = limits
        lastChange = loop.makeSucceededVoidFuture()
        state = RegistryState(limits: limits, deriveID: EndpointID.derived)
    }

    /// Reads the saved entries. A damaged file is set aside and the list starts empty: it is never fatal.
    ///
    /// - Returns: a note for `status` when something was wrong with the file.
    package func load() async -> String? {
        let (entries, note) = await store.load()
        for entry in entries {
            publish(state.putBack(entry.manual, settings: entry.settings, id: entry.id))
        }
        return note
    }

    /// Puts in the servers that the administrator laid down, in place of those of the last call; after `load`.
    package func configure(_ servers: [(id: EndpointID, entry: ManualEntry)]) {
        for id in state.configured.subtracting(servers.map(\.id)) { publish(state.withdraw(id)) }
        for server in servers { publish(state.configure(server.entry, id: server.id)) }
    }

    // MARK: Sightings

    /// Applies the events of one source until it ends.
    package func consume<Events: AsyncSequence<SightingEvent, Never> & Sendable>(
        _ events: Events,
        from source: SourceName
    ) async {
        for await event in events { apply(event, from: source) }
    }

    private func apply(_ event: SightingEvent, from name: SourceName) {
        switch event {
        case .source(let new):
            source = new
            isSettled = false
            forgetting?.cancel()
            upSince = new == .up ? .now() : nil
            heardAt = nil
        case .settled:
            isSettled = true
        case .sighted:
            heardAt = .now()
        case .vanished, .lost:
            break
        }
        if event == .settled, state.hasStale {
            forgetting = loop.scheduleTask(in: Self.grace) {
                self.assumeIsolated { $0.publish($0.state.apply(event, from: name)) }
            }
        } else {
            publish(state.apply(event, from: name))
        }
        if isSettled || (event != .source(.up) && source != .up) { endSettling() }
    }

    /// Returns when the list is worth showing: the source has settled, does not work, or took longer than `patience`.
    package func waitUntilSettled(atMost patience: Duration) async {
        guard !isSettled, source == .up || source == Self.notStarted else { return }
        let settled = loop.makePromise(of: Void.self)
        settling.append(settled)
        let timer = loop.scheduleTask(in: TimeAmount(patience)) { settled.succeed() }
        try? await settled.futureResult.get()
        timer.cancel()
    }

    private func endSettling() {
        for promise in settling { promise.succeed() }
        settling = []
    }

    package var sourceStatus: RegistrySourceStatus {
        RegistrySourceStatus(
            state: source,
            isSettled: isSettled,
            upFor: upSince.map { Duration(.now() - $0) },
            heardAgo: heardAt.map { Duration(.now() - $0) }
        )
    }

    package var endpointCount: Int { state.count }

    package var droppedSightings: UInt64 { state.droppedSightings }

    // MARK: Reading

    package var snapshot: (revision: UInt64, endpoints: [Endpoint]) { (revision, state.endpoints) }

    package func find(_ reference: String) throws(RegistryError) -> Endpoint { try state.find(reference) }

    package func endpoint(_ id: EndpointID) -> Endpoint? { state.endpoint(id) }

    private struct Watcher {
        let continuation: AsyncThrowingStream<RegistryUpdate, any Error>.Continuation
        /// nil for all endpoints.
        let endpoint: EndpointID?
    }

    /// The whole state, then every change. A watcher that falls `watcherBacklog` changes behind is ended with
    /// `RegistryError.watcherTooSlow`; cancelling the reading task ends the watch.
    ///
    /// - Parameter endpoint: the one endpoint to tell of, which is in use meanwhile; nil for all.
    package func watch(
        _ endpoint: EndpointID? = nil
    ) throws(RegistryError) -> AsyncThrowingStream<RegistryUpdate, any Error> {
        guard watchers.count < limits.watchers else { throw .tooManyWatchers(limit: limits.watchers) }
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: RegistryUpdate.self,
            bufferingPolicy: .bufferingOldest(limits.watcherBacklog)
        )
        nextWatcher += 1
        let watcher = nextWatcher
        watchers[watcher] = Watcher(continuation: continuation, endpoint: endpoint)
        if let endpoint { beginUse(of: endpoint) }
        continuation.onTermination = { [loop] _ in
            loop.execute {
                self.assumeIsolated { registry in
                    registry.watchers[watcher] = nil
                    if let endpoint { registry.endUse(of: endpoint) }
                }
            }
        }
        let shown = endpoint.map { id in state.endpoint(id).map { [$0] } ?? [] } ?? state.endpoints
        continuation.yield(.snapshot(revision: revision, shown))
        return stream
    }

    // MARK: The user's entries

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
            let changes = try state.add(entry, id: fresh)
            let id = state.manual.first { $0.value.name == entry.name }?.key ?? fresh
            return (settings.isEmpty ? changes : changes + (try state.set(id, settings)), id)
        }
        return try find(id.text)
    }

    /// By which id an endpoint of a vault from elsewhere is known here, if it is.
    package func known(_ url: ServerURL, id: EndpointID) -> EndpointID? { state.known(url, id: id) }

    /// Makes the entry of a vault from elsewhere again, under its own id, unless the server is known here already.
    ///
    /// - Returns: the id that the server has here.
    package func takeIn(name: String, url: ServerURL, id: EndpointID) async throws(RegistryError) -> EndpointID {
        try await saving { state throws(RegistryError) in
            if let known = state.known(url, id: id) { return ([], known) }
            let taken = Set(state.manual.values.map(\.name))
            let free = ManualEntry.isValid(name: name) && !taken.contains(name) ? name : id.text
            let changes = try state.add(ManualEntry(name: free, url: url), id: id)
            return (changes, state.manual.first { $0.value.name == free }?.key ?? id)
        }
    }

    package func remove(_ id: EndpointID) async throws(RegistryError) {
        _ = try await saving { state throws(RegistryError) in (try state.remove(id), id) }
    }

    package func set(_ id: EndpointID, _ settings: EndpointSettings) async throws(RegistryError) -> Endpoint {
        _ = try await saving { state throws(RegistryError) in (try state.set(id, settings), id) }
        return try find(id.text)
    }

    /// Makes a change to one endpoint's entry and saves the list; a change that cannot be saved is taken back.
    ///
    /// One at a time, so that what is written is what was saved before and this change.
    private func saving(
        _ change: (inout RegistryState) throws(RegistryError) -> ([RegistryChange], EndpointID)
    ) async throws(RegistryError) -> EndpointID {
        let previous = lastChange
        let turn = loop.makePromise(of: Void.self)
        lastChange = turn.futureResult
        defer { turn.succeed() }
        try? await previous.get()

        let (manual, settings) = (state.manual, state.settings)
        let (changes, id) = try change(&state)
        publish(changes)
        // Whether it is kept need not show.
        review(id)
        do {
            try await store.save(file)
        } catch {
            publish(state.putBack(manual[id], settings: settings[id], id: id))
            review(id)
            throw .notSaved(reason: "\(error)")
        }
        return id
    }

    private var file: EndpointFile {
        let own = state.manual.filter { !state.configured.contains($0.key) }
        let ids = Set(own.keys).union(state.settings.keys).sorted { $0.text < $1.text }
        return EndpointFile(
            entries: ids.map { id in
                .init(id: id, manual: own[id], settings: state.settings[id] ?? EndpointSettings())
            }
        )
    }

    func publish(_ changes: [RegistryChange]) {
        for change in changes {
            revision += 1
            for (number, watcher) in watchers where watcher.endpoint == nil || watcher.endpoint == change.endpoint.id {
                if case .dropped = watcher.continuation.yield(.change(revision: revision, change)) {
                    watcher.continuation.finish(throwing: RegistryError.watcherTooSlow)
                    watchers[number] = nil
                }
            }
            review(change.endpoint.id)
        }
    }
}
