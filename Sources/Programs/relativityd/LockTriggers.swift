// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Credentials
import EventLoops
import Logging
import NIOCore

/// Locks the vault when the machine is about to sleep or the session locks, if the configuration requires it.
struct LockTriggers: Sendable {
    /// The time that sleep may be delayed. By default logind waits for five seconds for all processes that delay it.
    private static let patience = Duration.seconds(2)
    private static let step = Duration.milliseconds(5)

    private let reasons: Set<DaemonConfiguration.LockReason>
    private let loginManager: LoginManager?
    private let store: CredentialStore
    private let broker: ConnectionBroker
    private let loop: any EventLoop
    private let logger: Logger

    /// Connects to logind only if there is a reason to lock.
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

    /// Handles events until the task is cancelled.
    func run() async {
        guard let loginManager else { return }
        defer { loginManager.stop() }
        await withDiscardingTaskGroup { group in
            for await event in loginManager.events() {
                switch event {
                case .sleeps(let delay):
                    if reasons.contains(.suspend) { await lockBeforeSleep() }
                    delay?.end()
                // A key provider may be slow. The lock of the next sleep makes the attempt void.
                case .wakes:
                    let locks = await store.locks
                    group.addTask { await wake(since: locks) }
                case .sessionLocks:
                    guard reasons.contains(.sessionLock) else { continue }
                    logger.notice("the session locks, and so does the vault")
                    await store.lock()
                }
            }
        }
    }

    /// Returns when the keys are wiped and the sessions are logged out, or after two seconds.
    private func lockBeforeSleep() async {
        logger.notice("the machine is about to sleep: the vault is locked")
        await store.prepareForSleep()
        let end = ContinuousClock.now + Self.patience
        while ContinuousClock.now < end {
            if await store.keysAreGone, await !broker.usesVault { return }
            guard (try? await loop.sleep(for: Self.step)) != nil else { return }
        }
        logger.warning("suspending although sessions that use the vault are still open")
    }

    private func wake(since locks: UInt64) async {
        do {
            try await store.wakeUp(since: locks)
        } catch {
            logger.warning("the vault did not open again", metadata: ["error": "\(error)"])
        }
    }
}
