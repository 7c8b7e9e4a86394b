// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import NIOCore

/// Owns the `RegistryState`: applies what sources and users say, saves the user's part, and tells watchers.
package actor EndpointRegistry {
    let loop: any EventLoop
    let store: EndpointStore
    let limits: RegistryLimits
    var state: RegistryState

    /// Counts changes.
    var revision: UInt64
    var history: ToldHistory
    /// Since the start; they were too slow.
    var endedWatchers = 0
    /// Runs when nobody has watched for so long that nobody is expected back.
    var forgetting: Scheduled<Void>?
    var watchers: [UInt64: Watcher] = [:]
    var nextWatcher: UInt64 = 0
    var rate: ChangeRate
    /// Runs when watchers may be told more.
    var telling: Scheduled<Void>?

    /// The reason for which the list was not saved when that was tried last.
    package internal(set) var unsavedReason: String?

    /// Done when the last change that anyone asked for is saved or taken back.
    var lastChange: EventLoopFuture<Void>
    /// Tells `keepSaved` that there is something to save.
    let unsaved = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Whoever probes listens here.
    var probing: AsyncStream<ProbeEvent>.Continuation?
    var targets = ProbeTargets()

    var sources: [SourceName: SourceProgress] = [:]
    /// Runs when sources may be asked again to tell everything.
    var retelling: Scheduled<Void>?
    var owesRetelling = false
    /// Resumed when the sources have said all they knew at first, or do not work.
    var settling: [EventLoopPromise<Void>] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter firstRevision: higher than those of earlier runs, so that nobody goes on here from one of theirs.
    package init(
        loop: any EventLoop,
        store: EndpointStore,
        limits: RegistryLimits = RegistryLimits(),
        firstRevision: UInt64 = 0
    ) {
        revision = firstRevision
        history = ToldHistory(capacity: limits.history)
        self.loop = loop
        self.store = store
        self.limits = limits
        lastChange = loop.makeSucceededVoidFuture()
        state = RegistryState(limits: limits)
        rate = ChangeRate(perSecond: limits.changesPerSecond)
    }

    /// Reads what was saved. A damaged file is set aside and the list starts empty: it is never fatal.
    ///
    /// - Returns: what was wrong with the file.
    package func load() async -> StateFileProblem? {
        let (keepsakes, problem) = await store.load()
        for keepsake in keepsakes { state.putBack(keepsake, isAwaited: true) }
        state.isUnsaved = false
        publish()
        return problem
    }

    /// Puts in the servers that the administrator laid down, in place of those of the last call; after `load`.
    package func configure(_ servers: [(id: EndpointID, entry: ManualEntry)]) {
        for id in state.configured.subtracting(servers.map(\.id)) { state.withdraw(id) }
        for server in servers { state.configure(server.entry, id: server.id) }
        publish()
    }

    // MARK: Reading

    package var endpointCount: Int { state.count }

    package var counters: RegistryCounters { state.counters }

    /// What is in the list now. While more changes than watchers are told at once, it is ahead of its revision.
    package var snapshot: (revision: UInt64, endpoints: [Endpoint]) { (revision, state.endpoints) }

    /// Tells whether the list is still the same.
    package var edition: ListEdition { ListEdition(revision: revision, changes: state.edition) }

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
}
