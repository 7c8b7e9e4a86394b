// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Credentials
import EventLoops
import Logging
import LoginManager
import NIOCore

/// Locks the vault when the machine is about to sleep or the session locks, as the configuration asks for.
struct LockTriggers: Sendable {
    /// logind waits for five seconds by default, for all who asked it to.
    private static let patience = Duration.seconds(2)
    private static let step = Duration.milliseconds(5)

    private let reasons: Set<DaemonConfiguration.LockReason>
    private let loginManager: LoginManager?
    private let store: CredentialStore
    private let broker: ConnectionBroker
    private let loop: any EventLoop
    private let logger: Logger

    /// Listens to logind only where there is a reason to.
    init(
        _ reasons: Set<DaemonConfiguration.LockReason>,
        store: CredentialStore,
        broker: ConnectionBroker,
        loop: any EventLoop,
        logger: Logger
    ) throws {
        self.reasons = reasons
        self.store = store
        self.broker = broker
        self.loop = loop
        self.logger = logger
        loginManager = reasons.isEmpty ? nil : try LoginManager()
    }

    /// The events that are not noticed, each with the reason.
    var unnoticed: [(event: DaemonConfiguration.LockReason, reason: String)] {
        guard let problem = loginManager?.problem else { return [] }
        return DaemonConfiguration.LockReason.allCases.filter(reasons.contains).map { ($0, "\(problem)") }
    }

    /// Locks until the task is cancelled.
    func run() async {
        guard let loginManager else { return }
        defer { loginManager.stop() }
        for await event in loginManager.events() {
            switch event {
            case .sleeps(let delay):
                if reasons.contains(.suspend) { await sleep() }
                delay?.end()
            case .wakes:
                await wake()
            case .sessionLocks:
                guard reasons.contains(.sessionLock) else { continue }
                logger.notice("the session locks, and so does the vault")
                await store.lock()
            }
        }
    }

    /// Returns when the keys are wiped and servers were told of the end of sessions, or after two seconds.
    private func sleep() async {
        logger.notice("the machine is about to sleep: the vault is locked")
        await store.prepareForSleep()
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if await store.keysAreGone, await !broker.usesVault { return }
            guard (try? await loop.sleep(for: Self.step)) != nil else { return }
        }
        logger.warning("the machine sleeps before all that used the vault has ended")
    }

    private func wake() async {
        do {
            try await store.wakeUp()
        } catch {
            logger.warning("the vault did not open again", metadata: ["error": "\(error)"])
        }
    }
}
