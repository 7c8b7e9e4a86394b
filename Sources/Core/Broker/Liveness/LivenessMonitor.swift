// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import EventLoops
package import Logging
import NIOCore
import NIOPosix
package import Registry

/// Probes servers when `ProbeSchedule` says so, and reports the results to the registry. The registry decides which
/// servers may be contacted. Saves the results for the next run.
package actor LivenessMonitor {
    private enum Work {
        case probe(EndpointID)
        case save
    }

    /// The delay before a change is saved, together with those that follow.
    private static let savePause = TimeAmount.seconds(5)

    private let registry: EndpointRegistry
    private let prober: Prober
    private let states: ReachabilityStore
    private let isOn: Bool
    private let loop: any EventLoop
    private let logger: Logger
    private let work: (stream: AsyncStream<Work>, continuation: AsyncStream<Work>.Continuation)
    private var schedule: ProbeSchedule
    private var random = SystemRandomNumberGenerator()
    private var timer: Scheduled<Void>?
    private var saveTimer: Scheduled<Void>?
    private var isSaving = false
    /// The contents of the file.
    private var saved: [EndpointID: Reachability] = [:]

    /// The event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter refresh: asks the sources of an announced endpoint to resolve it again. Must not block.
    package init(
        connector: ServerConnector,
        store: CredentialStore,
        states: ReachabilityStore,
        limits: ProbeLimits = ProbeLimits(),
        logger: Logger,
        refresh: @escaping @Sendable (ServiceInstance) -> Void = { _ in }
    ) {
        registry = connector.registry
        loop = connector.loop
        prober = Prober(connector: connector, store: store, refresh: refresh)
        schedule = ProbeSchedule(limits)
        isOn = limits.isOn
        self.states = states
        self.logger = logger
        work = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Restores the results of the last run. Call after the registry has loaded its entries.
    ///
    /// - Returns: the problem with the file, if there is one.
    package func load() async -> StateFileProblem? {
        let (known, problem) = await states.load()
        saved = known
        await registry.restore(known)
        return problem
    }

    /// Probes until the task is cancelled.
    package func run() async {
        let network = isOn ? await watchNetwork() : nil
        let events = await registry.probeEvents()
        await withDiscardingTaskGroup { group in
            group.addTask { for await event in events { await self.handle(event) } }
            for await piece in work.stream {
                group.addTask {
                    switch piece {
                    case .probe(let id): await self.probe(id)
                    case .save: await self.save()
                    }
                }
            }
        }
        timer?.cancel()
        saveTimer?.cancel()
        network?.close(promise: nil)
    }

    /// Saves the current results. Call after `run` has ended.
    package func finish() async { await save() }

    /// Probes an endpoint because a client asks for it. Any endpoint is permitted.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func probe(now endpoint: Endpoint) async throws -> ProbeReport {
        let start = NIODeadline.now()
        let finding = try await prober.probe(endpoint)
        let took = Duration(.now() - start)
        await conclude(finding, for: endpoint)
        return ProbeReport(contact: finding.contact, took: took)
    }

    /// Starts the watch for changes of the network. If it fails, such a change is noticed with the next probes.
    private func watchNetwork() async -> (any Channel)? {
        do {
            return try await NetworkWatch.open(on: loop) { [weak self, loop] in
                if let self { loop.reenter(self) { $0.networkChanged() } }
            }
        } catch {
            logger.info("cannot watch for network changes", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func networkChanged() {
        schedule.networkChanged(at: .now(), using: &random)
        advance()
    }

    private func handle(_ event: ProbeEvent) {
        switch event {
        case .wanted(let id, let interest):
            if isOn { schedule.want(id, interest, at: .now(), using: &random) }
        case .unwanted(let id): schedule.drop(id)
        case .moved(let id): schedule.moved(id, at: .now(), using: &random)
        case .heard(let id, let contact):
            schedule.heard(contact, of: id, at: .now(), using: &random)
            // No probe is due sooner because of a success, so a busy adapter does not set the timer again with each
            // call.
            if contact == .reached { return }
        case .turned: saveSoon()
        }
        advance()
    }

    /// Starts the probes that are due, and sets the only timer for the next one.
    private func advance() {
        timer?.cancel()
        timer = nil
        while true {
            switch schedule.next(at: .now()) {
            case .probe(let id):
                work.continuation.yield(.probe(id))
            case .wait(let time):
                timer = loop.scheduleTask(deadline: time, for: self) { $0.advance() }
                return
            case .rest:
                return
            }
        }
    }

    private func probe(_ id: EndpointID) async {
        if schedule.isTarget(id), let endpoint = await registry.endpoint(id),
            await prober.mayProbe(endpoint), let finding = try? await prober.probe(endpoint), schedule.isTarget(id)
        {
            await conclude(finding, for: endpoint)
        }
        schedule.ended(id, at: .now(), using: &random)
        advance()
    }

    /// Reports a result. While the vault is locked, an answer does not end a conflict, because it may still be from the
    /// wrong server.
    private func conclude(_ finding: Prober.Finding, for endpoint: Endpoint) async {
        let isOpen = endpoint.state == .conflict && finding.contact == .reached && !finding.isJudged
        if !isOpen { await registry.conclude(finding.contact, for: endpoint) }
    }

    private func saveSoon() {
        guard saveTimer == nil else { return }
        saveTimer = loop.scheduleTask(in: Self.savePause, for: self) { $0.saveIsDue() }
    }

    private func saveIsDue() {
        saveTimer = nil
        if isSaving { saveSoon() } else { work.continuation.yield(.save) }
    }

    private func save() async {
        isSaving = true
        defer { isSaving = false }
        let known = await registry.reachabilities
        guard known != saved else { return }
        do {
            try await states.save(known)
            saved = known
        } catch {
            logger.warning("the reachability of servers was not saved", metadata: ["error": "\(error)"])
        }
    }
}

/// Probes one endpoint: looks up its addresses and connects. If that fails, it asks the sources to resolve the endpoint
/// again, and tries a second time.
struct Prober: Sendable {
    let connector: ServerConnector
    let store: CredentialStore
    /// Asks the sources of an announced endpoint to resolve it again.
    let refresh: @Sendable (ServiceInstance) -> Void
    private let lookUps: ProbeLookUps

    init(
        connector: ServerConnector,
        store: CredentialStore,
        refresh: @escaping @Sendable (ServiceInstance) -> Void
    ) {
        self.connector = connector
        self.store = store
        self.refresh = refresh
        lookUps = ProbeLookUps(pool: connector.pool, loop: connector.loop)
    }

    /// The result of a probe.
    struct Finding: Sendable {
        let contact: Contact
        /// Whether the server was checked against its pin.
        let isJudged: Bool
    }

    /// Whether an endpoint may be probed without a client that asks for it. For a discovered endpoint whose pin cannot
    /// be read, the announcing host would decide which host this machine connects to, so it is not probed while the
    /// vault is closed.
    func mayProbe(_ endpoint: Endpoint) async -> Bool {
        let isPinned = await store.readablePin(of: endpoint.id) != nil
        return Self.mayProbe(endpoint.origin, isPinned: isPinned, vault: await store.state)
    }

    static func mayProbe(_ origin: Origin, isPinned: Bool, vault: VaultState) -> Bool {
        guard origin == .discovered, !isPinned else { return true }
        switch vault {
        case .unlocked, .absent: return true
        case .sealed, .locked: return false
        }
    }

    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func probe(_ endpoint: Endpoint) async throws -> Finding {
        let own = ServerPlace(endpoint, nil)
        let first = try await contact(own, within: ProbeLimits.timeout)
        guard case .failed = first.contact else { return first }
        let announced = await connector.registry.instances(of: endpoint.id)
        for instance in announced.union(endpoint.instance.map { [$0] } ?? []) { refresh(instance) }
        let second = try await contact(own, within: ProbeLimits.retryTimeout)
        guard case .failed = second.contact else { return second }
        for alternate in await store.readableAlternates(of: endpoint.id) {
            guard let place = ServerPlace(endpoint, alternate: alternate) else { continue }
            let other = try await contact(place, within: ProbeLimits.retryTimeout)
            guard case .failed = other.contact else { return other }
        }
        return second
    }

    /// - Parameter place: an alternate address, or the endpoint's own one without a pin.
    private func contact(_ place: ServerPlace, within timeout: Duration) async throws -> Finding {
        let endpoint = place.endpoint
        let deadline = NIODeadline.now() + TimeAmount(timeout)
        let addresses: [IPAddress]
        do {
            addresses = try await connector.candidates(for: endpoint) { name in
                try await lookUps.addresses(of: name, before: deadline)
            }
        } catch BrokerError.unreachable(let reason) {
            return Finding(contact: .failed(reason), isJudged: false)
        }
        // A server may choose its key by the name in the handshake. So use the name under which the pin was verified.
        let pin: Pin?
        let agreed: ServerHost?
        if let pinned = place.pinned {
            (pin, agreed) = (pinned.pin, pinned.agreedHost)
        } else {
            pin = await store.readablePin(of: endpoint.id)
            agreed = await store.readableAgreedURL(of: endpoint.id).flatMap { try? ServerURL(completing: $0) }?.host
        }
        let named = endpoint.named(agreed)
        let contact = try await connector.contact(named, at: addresses, pin: pin, before: deadline)
        if contact == .reached { connector.inUse.note(place) }
        return Finding(contact: contact, isJudged: pin != nil)
    }
}

/// The result of a probe that a caller requested.
package struct ProbeReport: Sendable, Hashable {
    /// The result.
    package let contact: Contact
    /// Time from the first look-up or connection to the result, including a second attempt.
    package let took: Duration
}

/// Looks up host names for probes, one at a time. So probes use at most one of the two threads for look-ups, and the
/// other is free for clients' calls even if the name server is slow.
actor ProbeLookUps {
    private let resolver: HostResolver
    private let loop: any EventLoop
    /// Completes when the previous look-up has ended, even if no probe waits for it any longer.
    private var previous: EventLoopFuture<Void>

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(pool: NIOThreadPool, loop: any EventLoop) {
        resolver = HostResolver(pool: pool)
        self.loop = loop
        previous = loop.makeSucceededVoidFuture()
    }

    /// - Throws: `BrokerError.unreachable` with the resolver's reason, or because it took too long;
    ///   `CancellationError`.
    func addresses(of name: String, before deadline: NIODeadline) async throws -> [IPAddress] {
        let answer = loop.makePromise(of: [IPAddress].self)
        let timer = loop.scheduleTask(deadline: deadline) {
            answer.fail(BrokerError.unreachable(StateReason(code: .lookUpTimeout)))
        }
        defer { timer.cancel() }
        let ended = loop.makePromise(of: Void.self)
        previous.whenComplete { [resolver, loop] _ in
            guard .now() < deadline else { return ended.succeed() }
            let lookUp = resolver.pool.runIfActive(eventLoop: loop) { try HostResolver.lookUp(name) }
            lookUp.cascade(to: answer)
            lookUp.map { _ in }.cascade(to: ended)
        }
        previous = ended.futureResult
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }
}
