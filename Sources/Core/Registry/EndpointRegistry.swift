// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
import Glibc
package import Logging
package import NIOCore
import Platform

/// Owner of the `RegistryState`: applies what sources and users say, has the user's part saved, and has watchers and
/// whoever probes notified.
package actor EndpointRegistry {
    /// After so many events of a flood others get their turn on the loop.
    private static let eventsPerTurn = 64

    private let loop: any EventLoop
    private let store: EndpointStore
    private let limits: RegistryLimits
    private var state: RegistryState
    private var publisher: ChangePublisher
    private let saver: ListSaver
    private var sources = SightingSources()
    private var probes = ProbeFeed()

    /// Runs when watchers may be sent more.
    private var publishTimer: Scheduled<Void>?
    /// Stops recording changes, `resumeTime` after the last watcher has left.
    private var recordingTimer: Scheduled<Void>?
    /// Runs when sources may be asked again to report everything.
    private var resyncTimer: Scheduled<Void>?
    private var needsResync = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter firstRevision: higher than those of earlier runs, so that nobody goes on here from one of theirs.
    package init(
        loop: any EventLoop,
        store: EndpointStore,
        limits: RegistryLimits = RegistryLimits(),
        firstRevision: UInt64 = 0
    ) {
        self.loop = loop
        self.store = store
        self.limits = limits
        state = RegistryState(limits: limits)
        publisher = ChangePublisher(limits, firstRevision: firstRevision)
        saver = ListSaver(store, limits, loop: loop)
    }

    /// Reads what was saved. A damaged file is set aside and the list starts empty: it is never fatal.
    ///
    /// - Returns: the problem with the file, if there is one.
    package func load() async -> StateFileProblem? {
        let (savedEndpoints, problem) = await store.load()
        let loaded = state.recording(beside: publisher.recorded) { state in
            for saved in savedEndpoints { state.restore(saved, isAwaited: true) }
        }
        publish(loaded.changes, isSaved: true)
        return problem
    }

    /// Puts in the servers that the administrator laid down, in place of those of the last call; after `load`.
    package func configure(_ servers: [(id: EndpointID, entry: ManualEntry)]) {
        change { state in
            for id in state.configured.subtracting(servers.map(\.id)) { state.withdraw(id) }
            for server in servers { state.configure(server.entry, id: server.id) }
        }
    }

    // MARK: Reading

    /// The reason for which the list was not saved by the last attempt; nil if it was saved.
    package var unsavedReason: String? { saver.failure }

    package var endpointCount: Int { state.count }

    package var counters: RegistryCounters {
        var counters = state.counters
        counters.folded = publisher.foldedChanges
        return counters
    }

    /// How many endpoints there are of each group; those without any are missing.
    package var census: [EndpointGroup: Int] {
        var census: [EndpointGroup: Int] = [:]
        state.forEachEndpoint { census[EndpointGroup(origin: $0.origin, state: $0.state), default: 0] += 1 }
        return census
    }

    /// How many watch, how many changes wait to be sent to them, and how many watchers were too slow since the start.
    package var watching: (watchers: Int, waiting: Int, ended: Int) {
        (publisher.watcherCount, publisher.waitingChanges, publisher.endedWatchers)
    }

    /// Whether changes are kept for watchers.
    var isRecording: Bool { publisher.isRecording }

    /// What is in the list now. While more changes wait than watchers may be sent at once, it is ahead of its revision.
    package var snapshot: (revision: UInt64, endpoints: [Endpoint]) { (publisher.revision, state.endpoints) }

    /// Tells whether the list is still the same.
    package var edition: ListEdition { ListEdition(revision: publisher.revision, changes: state.edition) }

    /// As `snapshot`, but each endpoint is only made when its turn has come: no list of them is ever held.
    ///
    /// - Parameter start: is given how many endpoints will come.
    package func fold<Result: Sendable>(
        from start: @Sendable (ListEdition, _ count: Int) -> Result,
        _ body: @Sendable (inout Result, Endpoint) -> Void
    ) -> (edition: ListEdition, result: Result) {
        var result = start(edition, state.count)
        state.forEachEndpoint { body(&result, $0) }
        return (edition, result)
    }

    package func find(_ reference: String) throws(RegistryError) -> Endpoint { try state.find(reference) }

    package func endpoint(_ id: EndpointID) -> Endpoint? { state.endpoint(id) }

    /// How an endpoint may be used now.
    package func constraints(of id: EndpointID) -> AccessConstraints { state.constraints(of: id) }

    /// The source that tells where an endpoint is, or was the last to tell; nil for one that none has told of.
    package func locatingSource(of id: EndpointID) -> SourceName? { state.locatingSource(of: id) }

    /// What an endpoint is announced as, by all sources.
    package func instances(of id: EndpointID) -> Set<ServiceInstance> { state.instances(of: id) }

    /// By which id an endpoint of a vault from elsewhere is known here, if it is.
    package func known(_ url: ServerURL, id: EndpointID) -> EndpointID? { state.known(url, id: id) }

    // MARK: Watching

    /// The whole state, then every change. A watcher that falls `watcherBacklog` changes behind is ended with
    /// `RegistryError.watcherTooSlow`; cancelling the reading task ends the watch.
    ///
    /// At most `changesPerSecond` changes are sent: where there are more, those of one endpoint become one, and endpoints
    /// that a person added or used come first. So the fold of all that was sent is the list, a little later.
    ///
    /// - Parameters:
    ///   - endpoint: the one endpoint to watch, which is in use meanwhile; nil for all.
    ///   - since: the revision that the watcher has heard last. Where the changes since then are still known, they take
    ///     the place of the whole state.
    package func watch(
        _ endpoint: EndpointID? = nil,
        since: UInt64? = nil
    ) throws(RegistryError) -> AsyncThrowingStream<RegistryUpdate, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: RegistryUpdate.self,
            bufferingPolicy: .bufferingOldest(limits.watcherBacklog)
        )
        let watcher = try publisher.join(continuation, endpoint, since: since, in: state)
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
        guard publisher.isAbandoned, recordingTimer == nil else { return }
        recordingTimer = loop.scheduleTask(in: TimeAmount(limits.resumeTime), for: self) { registry in
            registry.recordingTimer = nil
            registry.publishTimer?.cancel()
            registry.publishTimer = nil
            registry.publisher.endRecording()
        }
    }

    // MARK: Changes

    /// Makes a change, and publishes what it changed.
    private func change<Result, Failure>(
        _ body: (inout RegistryState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (result, changes) = try state.recording(beside: publisher.recorded, body)
        publish(changes)
        return result
    }

    /// - Parameter isSaved: the user's part of the list is as it is on disk.
    private func publish(_ changes: StateChanges, isSaved: Bool = false) {
        publisher.add(changes)
        if changes.isUnsaved, !isSaved { saver.request() }
        for id in changes.staleTargets { probes.review(id, in: state) }
        if changes.endsShortage { resync() }
        sendChanges()
    }

    private func sendChanges() {
        if let next = publisher.send(from: state, at: NIODeadline.now().uptimeNanoseconds), publishTimer == nil {
            publishTimer = loop.scheduleTask(deadline: .uptimeNanoseconds(next), for: self) { registry in
                registry.publishTimer = nil
                registry.sendChanges()
            }
        }
        scheduleEndOfRecording()
    }

    // MARK: Sources

    /// Applies the events of one source until it ends.
    ///
    /// - Parameters:
    ///   - logger: is told when the source goes down and when it works again.
    ///   - retell: has the source report once more all that it knows.
    package func consume<Events: AsyncSequence<SightingEvent, Never> & Sendable>(
        _ events: Events,
        from source: SourceName,
        logger: Logger? = nil,
        retell: @escaping @Sendable () -> Void = {}
    ) async {
        sources.begin(source, resend: retell)
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
        publish(state.apply(event, from: source, beside: publisher.recorded))
    }

    /// Returns when the list is worth showing: the sources have settled, do not work, or took longer than `patience`.
    package func waitUntilSettled(atMost patience: Duration) async {
        guard !sources.isSettled else { return }
        let settled = loop.makePromise(of: Void.self)
        sources.wait(settled)
        let timer = loop.scheduleTask(in: TimeAmount(patience)) { settled.succeed() }
        try? await settled.futureResult.get()
        timer.cancel()
        sources.stopWaiting(settled)
    }

    /// How many wait in `waitUntilSettled`.
    var settlingCount: Int { sources.waitingCount }

    /// All sources by name.
    package var sourceStatus: [RegistrySourceStatus] { sources.status }

    /// Asks all sources to report everything again, because there is room for what was dropped: at most once in each
    /// `retellingPause`, since whoever floods the list decides how often there is room.
    private func resync() {
        needsResync = true
        if resyncTimer == nil { resyncNow() }
    }

    private func resyncNow() {
        guard needsResync else { return }
        needsResync = false
        resyncTimer = loop.scheduleTask(in: TimeAmount(limits.retellingPause), for: self) { registry in
            registry.resyncTimer = nil
            registry.resyncNow()
        }
        sources.resend()
    }

    // MARK: The user's part

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

    /// Changes the settings of an endpoint.
    ///
    /// - Parameter name: a new name for an endpoint that the user added; nil keeps its name.
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

    /// Keeps an endpoint in the list when it is no longer announced, because somebody uses it. To be called
    /// whenever a login is stored for it or an adapter leads to it: where it is then is what it is recognised by; `keepSaved` writes it down.
    package func remember(_ id: EndpointID) {
        change { $0.remember(id) }
    }

    /// Saves what changed without anybody waiting for it, until it is cancelled, and then for the last time. Where a server
    /// was sighted last may change often: it is saved after a while, and seldom.
    package func keepSaved() async {
        await saver.keepSaved { EndpointFile(state.savedEndpoints) }
    }

    /// Makes a change to one endpoint and saves the list; a change that cannot be saved is taken back.
    ///
    /// - Parameter change: returns the id of the endpoint that it changed.
    private func saving(
        _ change: (inout RegistryState) throws(RegistryError) -> EndpointID
    ) async throws(RegistryError) -> EndpointID {
        try await saver.inTurn { () throws(RegistryError) in
            let before = state
            var after = state
            let (id, changes) = try after.recording(beside: publisher.recorded, change)
            state = after
            publish(changes)
            do {
                try await saver.save(EndpointFile(state.savedEndpoints))
            } catch {
                self.change { $0.restore(before.saved(id)) }
                if case .versionTooNew = error as? StateFileError { throw .listTooNew(reason: "\(error)") }
                throw .notSaved(reason: "\(error)")
            }
            return id
        }
    }

    // MARK: Probing

    /// What whoever probes has to know, from now on: first every endpoint that is wanted. There is one listener; a second
    /// takes its place.
    package func probeEvents() -> AsyncStream<ProbeEvent> { probes.start(in: state) }

    /// A lease on an endpoint is open or somebody watches it, until `endUse` is called as often.
    package func beginUse(of id: EndpointID) { probes.beginUse(of: id, in: state) }

    /// See `beginUse`.
    package func endUse(of id: EndpointID) { probes.endUse(of: id, in: state) }

    /// Records what somebody's call to an endpoint met. Of calls that are answered one a second counts.
    package func note(_ contact: Contact, for id: EndpointID) {
        if contact == .reached, state.knows(contact, of: id, at: Int64(time(nil))) { return }
        record(contact, for: id)
        probes.heard(contact, of: id)
    }

    /// Records what a probe met, unless the endpoint is at another place by now.
    package func conclude(_ contact: Contact, for endpoint: Endpoint) {
        let now = state.endpoint(endpoint.id)
        guard now?.url == endpoint.url, now?.addresses == endpoint.addresses else { return }
        record(contact, for: endpoint.id)
    }

    private func record(_ contact: Contact, for id: EndpointID) {
        if change({ $0.note(contact, for: id, at: Int64(time(nil))) }) { probes.turned() }
    }

    /// What an endpoint's last contacts met no longer counts, because it is to be another server from now on.
    package func forgetContact(with id: EndpointID) {
        change { $0.forgetContact(with: id) }
    }

    /// What is known of the endpoints that are kept, for the next run.
    package var reachabilities: [EndpointID: Reachability] { state.reachabilities }

    /// Puts back what an earlier run knew.
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
