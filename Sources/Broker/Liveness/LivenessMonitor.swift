// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import EventLoops
package import Logging
import NIOCore
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
