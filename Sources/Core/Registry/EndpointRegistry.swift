// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
import Glibc
package import Logging
package import NIOCore
import Platform

/// The owner of the `RegistryState`. It applies the events of sources and the user's changes, saves the user's part of
/// the list, and notifies watchers and the liveness monitor.
package actor EndpointRegistry {
    /// The number of events that are applied in a row before other work of the event loop runs.
    private static let eventsPerTurn = 64

    private let loop: any EventLoop
    private let store: EndpointStore
    private let limits: RegistryLimits
    private var state: RegistryState
    private var publisher: ChangePublisher
    private let saver: ListSaver
    private var sources: SightingSources
    private var probes = ProbeFeed()

    /// Runs when more changes may be sent to watchers.
    private var publishTimer: Scheduled<Void>?
    /// Stops recording changes, `resumeTime` after the last watcher has left.
    private var recordingTimer: Scheduled<Void>?
    /// Runs when sources may be asked again to report everything.
    private var resyncTimer: Scheduled<Void>?
    private var needsResync = false

    /// The event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - types: the usual settings of service types.
    ///   - firstRevision: higher than the revisions of earlier runs, so that no watcher resumes from one of those.
    ///   - expectsSources: whether sources will be consumed, for which callers of `waitUntilSettled` wait.
    package init(
        loop: any EventLoop,
        store: EndpointStore,
        limits: RegistryLimits = RegistryLimits(),
        types: ServiceTypeSettings = ServiceTypeSettings(),
        firstRevision: UInt64 = 0,
        expectsSources: Bool = true
    ) {
        self.loop = loop
        self.store = store
        self.limits = limits
        sources = SightingSources(areExpected: expectsSources)
        state = RegistryState(limits: limits, types: types)
        publisher = ChangePublisher(limits, firstRevision: firstRevision)
        saver = ListSaver(store, limits, loop: loop)
    }

    /// Reads the saved list. A damaged file is set aside and the list starts empty, so this never fails.
    ///
    /// - Returns: the problem with the file, if there is one.
    package func load() async -> StateFileProblem? {
        let (savedEndpoints, problem) = await store.load()
        for saved in savedEndpoints { state.restore(saved, isAwaited: true) }
        publish(isSaved: true)
        return problem
    }

    /// Replaces the servers that the administrator configured. Call after `load`.
    package func configure(_ servers: [(id: EndpointID, entry: ManualEntry)]) {
        change { state in
            for id in state.configured.subtracting(servers.map(\.id)) { state.withdraw(id) }
            for server in servers { state.configure(server.entry, id: server.id) }
        }
    }

    // MARK: Reading

    /// The reason why the last attempt to save the list failed; nil if it succeeded.
    package var unsavedReason: String? { saver.failure }

    /// The number of endpoints.
    package var endpointCount: Int { state.count }

    /// Counters of the limits that were reached since the daemon started.
    package var counters: RegistryCounters {
        var counters = state.counters
        counters.folded = state.table.pending.folded
        return counters
    }

    /// The number of endpoints in each group. Groups without endpoints are missing.
    package var census: [EndpointGroup: Int] {
        var census: [EndpointGroup: Int] = [:]
        state.forEachEndpoint { census[EndpointGroup(origin: $0.origin, state: $0.state), default: 0] += 1 }
        return census
    }

    /// The number of watchers, of changes that wait to be sent to them, and of watchers that were ended as too slow
    /// since the start.
    package var watching: (watchers: Int, waiting: Int, ended: Int) {
        (publisher.watcherCount, state.table.pending.count, publisher.endedWatchers)
    }

    /// Whether changes are recorded for watchers.
    var isRecording: Bool { state.table.pending.isRecording }

    /// The current list and the revision that watchers have. If changes wait because of the rate limit, the list is
    /// newer than the revision.
    package var snapshot: (revision: UInt64, endpoints: [Endpoint]) { (publisher.revision, state.endpoints) }

    /// The version of the list, which shows whether the list has changed.
    package var edition: ListEdition { ListEdition(revision: publisher.revision, changes: state.edition) }

    /// The current list, with its version.
    package var list: (edition: ListEdition, endpoints: EndpointList) { (edition, EndpointList(state.table)) }

    /// Finds an endpoint by its ID, its name, or the beginning of either.
    ///
    /// - Throws: `notFound` or `ambiguous`.
    package func find(_ reference: String) throws(RegistryError) -> Endpoint { try state.find(reference) }

    /// The endpoint with this ID; nil if there is none.
    package func endpoint(_ id: EndpointID) -> Endpoint? { state.endpoint(id) }

    /// The current limits on the use of an endpoint.
    package func constraints(of id: EndpointID) -> AccessConstraints { state.constraints(of: id) }

    /// The source that decides where an endpoint is, or that did so last; nil if the endpoint was never sighted.
    package func locatingSource(of id: EndpointID) -> SourceName? { state.locatingSource(of: id) }

    /// The announced instances of an endpoint, from all sources.
    package func instances(of id: EndpointID) -> Set<ServiceInstance> { state.instances(of: id) }

    /// The ID that a server of an imported vault has in this list; nil if it is not in the list.
    package func known(_ url: ServerURL, id: EndpointID) -> EndpointID? { state.known(url, id: id) }

    // MARK: Watching

    /// Sends the whole list, then every change. A watcher whose queue of `watcherBacklog` changes is full is ended with
    /// `RegistryError.watcherTooSlow`. Cancelling the reading task ends the watch.
    ///
    /// At most `changesPerSecond` changes are sent. If there are more, the changes of one endpoint are merged, and
    /// endpoints that the user added or used come first. So a watcher that applies every change has the current list,
    /// with a delay.
    ///
    /// - Parameters:
    ///   - endpoint: the only endpoint to watch, which counts as in use meanwhile; nil for all.
    ///   - since: the last revision that the watcher received. If the changes after it are still recorded, they are
    ///     sent instead of the whole list.
    /// - Throws: `tooManyWatchers`.
    package func watch(
        _ endpoint: EndpointID? = nil,
        since: UInt64? = nil
    ) throws(RegistryError) -> AsyncThrowingStream<RegistryUpdate, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: RegistryUpdate.self,
            bufferingPolicy: .bufferingOldest(limits.watcherBacklog)
        )
        let watcher = try publisher.join(continuation, endpoint, since: since, in: &state)
        recordingTimer?.cancel()
        recordingTimer = nil
        if let endpoint { beginUse(of: endpoint) }
        continuation.onTermination = { [loop] _ in
            loop.execute(for: self) { registry in
                registry.publisher.leave(watcher)
                registry.scheduleEndOfRecording()
                if let endpoint { registry.endUse(of: endpoint) }
            }
        }
        return stream
    }

    private func scheduleEndOfRecording() {
        guard isRecording, publisher.watcherCount == 0, recordingTimer == nil else { return }
        recordingTimer = loop.scheduleTask(in: TimeAmount(limits.resumeTime), for: self) { registry in
            registry.recordingTimer = nil
            registry.publishTimer?.cancel()
            registry.publishTimer = nil
            registry.state.table.pending.isRecording = false
            registry.publisher.countUnrecorded(in: &registry.state)
        }
    }

    // MARK: Changes

    /// Makes a change to the state and publishes the differences.
    private func change<Result, Failure>(
        _ body: (inout RegistryState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { publish() }
        return try body(&state)
    }

    /// - Parameter isSaved: whether the user's part of the list is the same as on disk.
    private func publish(isSaved: Bool = false) {
        let effects = state.table.takeEffects()
        if effects.isUnsaved, !isSaved { saver.request() }
        for id in effects.staleTargets { probes.review(id, in: state) }
        if effects.endsShortage { resync() }
        sendChanges()
    }

    private func sendChanges() {
        if let next = publisher.send(from: &state, at: NIODeadline.now().uptimeNanoseconds), publishTimer == nil {
            publishTimer = loop.scheduleTask(deadline: .uptimeNanoseconds(next), for: self) { registry in
                registry.publishTimer = nil
                registry.sendChanges()
            }
        }
        scheduleEndOfRecording()
    }

    // MARK: Sources

    /// Applies the events of one source until the stream ends.
    ///
    /// - Parameters:
    ///   - logger: logs when the source stops working and when it works again.
    ///   - resend: asks the source to report everything again.
    package func consume<Events: AsyncSequence<SightingEvent, Never> & Sendable>(
        _ events: Events,
        from source: SourceName,
        logger: Logger? = nil,
        resend: @escaping @Sendable () -> Void = {}
    ) async {
        sources.begin(source, resend: resend)
        var applied = 0
        for await event in events {
            if case .source(let state) = event { logger?.log(state, of: source) }
            apply(event, from: source)
            applied += 1
            if applied.isMultiple(of: Self.eventsPerTurn) { await loop.yieldTurn() }
        }
    }

    private func apply(_ event: SightingEvent, from source: SourceName) {
        sources.note(event, from: source)
        if event == .settled, state.hasStale(of: source) {
            let timer = loop.scheduleTask(in: TimeAmount(limits.grace), for: self) { registry in
                registry.applyNow(event, from: source)
            }
            sources.delayForgetting(of: source, timer)
        } else {
            applyNow(event, from: source)
        }
        sources.completeIfSettled()
    }

    private func applyNow(_ event: SightingEvent, from source: SourceName) {
        state.apply(event, from: source)
        publish()
    }

    /// Returns when the list is worth showing: the sources have settled, do not work, or took longer than `timeout`.
    package func waitUntilSettled(atMost timeout: Duration) async {
        guard !sources.isSettled else { return }
        let settled = loop.makePromise(of: Void.self)
        sources.wait(settled)
        let timer = loop.scheduleTask(in: TimeAmount(timeout)) { settled.succeed() }
        try? await settled.futureResult.get()
        timer.cancel()
        sources.stopWaiting(settled)
    }

    /// The number of callers in `waitUntilSettled`.
    var settlingCount: Int { sources.waitingCount }

    /// The status of all sources, sorted by name.
    package var sourceStatus: [SourceStatus] { sources.status }

    /// Asks all sources to report everything again, because there is capacity for dropped sightings. At most once in
    /// each `resyncInterval`, because a host that floods the list decides how often there is capacity.
    private func resync() {
        needsResync = true
        if resyncTimer == nil { resyncNow() }
    }

    private func resyncNow() {
        guard needsResync else { return }
        needsResync = false
        resyncTimer = loop.scheduleTask(in: TimeAmount(limits.resyncInterval), for: self) { registry in
            registry.resyncTimer = nil
            registry.resyncNow()
        }
        sources.resend()
    }

    // MARK: The user's part

    /// Adds a server by hand. Returns when the entry is on disk.
    ///
    /// - Throws: `invalidName`, `nameTaken`, `alreadyAdded`, `full`, `notSaved` or `listTooNew`.
    package func add(name: String, url: ServerURL) async throws(RegistryError) -> Endpoint {
        try await add(ManualEntry(name: name, url: url))
    }

    /// Adds a server by hand or from one of the user's files. Returns when the entry is on disk.
    ///
    /// - Throws: `invalidName`, `nameTaken`, `alreadyAdded`, `full`, `notSaved` or `listTooNew`.
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

    /// Adds the entry of an imported vault under its own ID, unless the server is already in the list. If the name is
    /// invalid or taken, the ID becomes the name. Returns when the entry is on disk.
    ///
    /// - Returns: the server's endpoint in this list.
    package func importEntry(name: String, url: ServerURL, id: EndpointID) async throws(RegistryError) -> EndpointID {
        try await saving { state throws(RegistryError) in
            if let known = state.known(url, id: id) { return known }
            let isFree = EndpointName.isValid(name) && !state.hasEntry(named: name)
            return try state.add(ManualEntry(name: isFree ? name : id.text, url: url, origin: .imported), id: id)
        }
    }

    /// Removes the entry, the earlier use and the settings of an endpoint. An announced server stays in the list as
    /// discovered.
    ///
    /// - Throws: `notFound`, `configured`, `notManual`, `notSaved` or `listTooNew`.
    package func remove(_ id: EndpointID) async throws(RegistryError) {
        _ = try await saving { state throws(RegistryError) in
            try state.remove(id)
            return id
        }
    }

    /// Changes the settings of an endpoint. Returns when they are on disk.
    ///
    /// - Parameter name: a new name for an endpoint that the user added; nil keeps its name.
    /// - Throws: `notFound`, `full`, `notSaved` or `listTooNew`; for the name `invalidName`, `namedByServer`,
    ///   `configured` or `nameTaken`.
    package func set(
        _ id: EndpointID,
        _ settings: EndpointSettings,
        name: String? = nil
    ) async throws(RegistryError) -> Endpoint {
        _ = try await saving { state throws(RegistryError) in
            if let name { try state.rename(id, to: name) }
            if !settings.isEmpty { try state.set(id, settings) }
            return id
        }
        return try find(id.text)
    }

    /// Keeps an endpoint in the list even if it is no longer announced. Call whenever a login is stored for it or an
    /// adapter connects to it. The server is recognised later by its current host and addresses. `keepSaved` writes
    /// them to disk.
    package func remember(_ id: EndpointID) {
        change { $0.remember(id) }
    }

    /// Saves changes that no caller waits for, until the task is cancelled, and then a last time. The last sighting of
    /// a server may change often, so it is saved with a delay, and rarely.
    package func keepSaved() async {
        await saver.keepSaved { EndpointFile(state.savedEndpoints) }
    }

    /// Makes a change to one endpoint and saves the list. A change that cannot be saved is rolled back.
    ///
    /// - Parameter change: returns the ID of the endpoint that it changed.
    /// - Throws: the error of `change`, `notSaved` or `listTooNew`.
    private func saving(
        _ change: (inout RegistryState) throws(RegistryError) -> EndpointID
    ) async throws(RegistryError) -> EndpointID {
        try await saver.inTurn { () throws(RegistryError) in
            let before = state
            var after = state
            let id = try change(&after)
            state = after
            publish()
            do {
                try await saver.save(EndpointFile(state.savedEndpoints))
            } catch {
                self.change { $0.undo(id, to: before) }
                if case .versionTooNew = error as? StateFileError { throw .listTooNew(reason: "\(error)") }
                throw .notSaved(reason: "\(error)")
            }
            return id
        }
    }

    // MARK: Probing

    /// Returns a new stream for the liveness monitor, which begins with every endpoint to probe. It has one reader: an
    /// earlier stream ends.
    package func probeEvents() -> AsyncStream<ProbeEvent> { probes.start(in: state) }

    /// Marks an endpoint as in use, because a lease on it is open or a client watches it. Each call needs a call of
    /// `endUse`.
    package func beginUse(of id: EndpointID) { probes.beginUse(of: id, in: state) }

    /// Ends one use that `beginUse` began.
    package func endUse(of id: EndpointID) { probes.endUse(of: id, in: state) }

    /// Records the result of a call to an endpoint. Of successful calls at most one per second is recorded.
    package func note(_ contact: Contact, for id: EndpointID) {
        if contact == .reached, state.knows(contact, of: id, at: Int64(time(nil))) { return }
        record(contact, for: id)
        probes.heard(contact, of: id)
    }

    /// Records the result of a probe, unless the endpoint's URL or addresses have changed since.
    package func conclude(_ contact: Contact, for endpoint: Endpoint) {
        let now = state.endpoint(endpoint.id)
        guard now?.url == endpoint.url, now?.addresses == endpoint.addresses else { return }
        record(contact, for: endpoint.id)
    }

    private func record(_ contact: Contact, for id: EndpointID) {
        if change({ $0.note(contact, for: id, at: Int64(time(nil))) }) { probes.turned() }
    }

    /// Forgets the last results of calls and probes, because the endpoint will be another server from now on.
    package func forgetContact(with id: EndpointID) {
        change { $0.forgetContact(with: id) }
    }

    /// The reachability of the endpoints that are kept, to save it for the next run.
    package var reachabilities: [EndpointID: Reachability] { state.reachabilities }

    /// Restores the reachability that an earlier run saved. Results of this run stay.
    package func restore(_ known: [EndpointID: Reachability]) {
        change { state in
            for (id, reachability) in known { state.restore(reachability, for: id) }
        }
    }
}

extension Logger {
    fileprivate func log(_ state: SourceState, of source: SourceName) {
        switch state {
        case .up: notice("servers can be found", metadata: ["source": "\(source)"])
        case .down(let fault):
            warning("servers cannot be found", metadata: ["source": "\(source)", "fault": "\(fault)"])
        }
    }
}
