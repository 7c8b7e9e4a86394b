// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import EventLoops
package import Logging
import NIOCore
import NIOPosix
package import Registry

/// Finds out which servers are alive: probes what `ProbeSchedule` says and tells the registry, which decides whom it may
/// contact at all. It also keeps what was found for the next run.
package actor LivenessMonitor {
    private enum Work {
        case probe(EndpointID)
        case save
    }

    /// A change is saved so long after it, together with those that follow.
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
    /// What the file holds.
    private var saved: [EndpointID: Reachability] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter refresh: asks the sources of an announced endpoint where it is now. Must not block.
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

    /// Puts back what the last run knew; after the registry has loaded its entries.
    ///
    /// - Returns: what was wrong with the file.
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
            group.addTask { for await event in events { await self.hear(event) } }
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

    /// Saves what is known now; after `run` has ended.
    package func finish() async { await save() }

    /// Probes an endpoint because somebody asks for it, whichever it is.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func probe(now endpoint: Endpoint) async throws -> ProbeReport {
        let start = NIODeadline.now()
        let finding = try await prober.probe(endpoint)
        let took = Duration(.now() - start)
        await conclude(finding, for: endpoint)
        return ProbeReport(contact: finding.contact, took: took)
    }

    /// Without it a change of the network is noticed with the next probes.
    private func watchNetwork() async -> (any Channel)? {
        do {
            return try await NetworkWatch.open(on: loop) { [weak self, loop] in
                if let self { loop.reenter(self) { $0.networkChanged() } }
            }
        } catch {
            logger.info("changes of the network are not heard", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func networkChanged() {
        schedule.networkChanged(at: .now(), using: &random)
        advance()
    }

    private func hear(_ event: ProbeEvent) {
        switch event {
        case .wanted(let id, let interest):
            if isOn { schedule.want(id, interest, at: .now(), using: &random) }
        case .unwanted(let id): schedule.drop(id)
        case .moved(let id): schedule.moved(id, at: .now(), using: &random)
        case .heard(let id, let contact):
            schedule.heard(contact, of: id, at: .now(), using: &random)
            // Nothing is due sooner for it: a busy adapter must not set the timer anew with each call.
            if contact == .reached { return }
        case .turned: saveSoon()
        }
        advance()
    }

    /// Begins what is due, and sets the one timer for what is due next.
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

    /// That somebody answers ends no conflict as long as the vault is locked: it may still be the wrong one.
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
            logger.warning("what is known of servers was not saved", metadata: ["error": "\(error)"])
        }
    }
}

/// Probes one endpoint: asks where it is, and connects there; a second time, and after asking anew, where that fails.
struct Prober: Sendable {
    let connector: ServerConnector
    let store: CredentialStore
    /// Asks the sources of an announced endpoint where it is now.
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

    /// What a probe has met.
    struct Finding: Sendable {
        let contact: Contact
        /// The server was held against its pin.
        let isJudged: Bool
    }

    /// Whether an endpoint may be probed unasked. Where only announcements say where it is, whoever announces it would decide
    /// whom this machine connects to, unless its pin can be read.
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
        let first = try await contact(endpoint, within: ProbeLimits.patience)
        guard case .failed = first.contact else { return first }
        let announced = await connector.registry.instances(of: endpoint.id)
        for instance in announced.union(endpoint.instance.map { [$0] } ?? []) { refresh(instance) }
        return try await contact(endpoint, within: ProbeLimits.secondPatience)
    }

    private func contact(_ endpoint: Endpoint, within patience: Duration) async throws -> Finding {
        let deadline = NIODeadline.now() + TimeAmount(patience)
        let addresses: [IPAddress]
        do {
            addresses = try await connector.candidates(for: endpoint) { name in
                try await lookUps.addresses(of: name, before: deadline)
            }
        } catch BrokerError.unreachable(let reason) {
            return Finding(contact: .failed(reason), isJudged: false)
        }
        let pin = await store.readablePin(of: endpoint.id)
        // A server may choose its key by the name in the handshake: it is held against its pin under the name of then.
        let agreed = await store.readableAgreedURL(of: endpoint.id).flatMap { try? ServerURL(completing: $0) }?.host
        let named = endpoint.named(agreed)
        let contact = try await connector.contact(named, at: addresses, pin: pin, before: deadline)
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

/// Looks host names up for probes: one at a time, so that probes hold one of the two threads for look-ups at most, and
/// the other is left to people's calls however slow the name server is.
actor ProbeLookUps {
    private let resolver: HostResolver
    private let loop: any EventLoop
    /// Done when the look-up before has ended, whether or not anybody waits for it still.
    private var previous: EventLoopFuture<Void>

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(pool: NIOThreadPool, loop: any EventLoop) {
        resolver = HostResolver(pool: pool)
        self.loop = loop
        previous = loop.makeSucceededVoidFuture()
    }

    /// - Throws: `BrokerError.unreachable` with the resolver's reason, or because it took too long.
    func addresses(of name: String, before deadline: NIODeadline) async throws -> [IPAddress] {
        let answer = loop.makePromise(of: [IPAddress].self)
        let timer = loop.scheduleTask(deadline: deadline) {
            answer.fail(BrokerError.unreachable(StateReason(.lookUpTimeout)))
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
