// SPDX-License-Identifier: Apache-2.0

package import Credentials
import EventLoops
package import Logging
import NIOCore
import Registry

/// Hands out configured, logged-in adapters: chooses the login, shares sessions, and keeps the leases.
package actor ConnectionBroker {
    let connector: ServerConnector
    let store: CredentialStore
    let directory: String
    let grantsDirectory: String
    let paths: LoopbackPaths?
    let limits: AdapterLimits
    let logger: Logger
    let budget: RequestBudget
    /// Those who look into large requests.
    let parsers: Turnstile
    var sessions = SharedSessions<ServerSession>()
    var adapters: [String: OpenAdapter] = [:]
    /// Adapters that are being opened count towards the limit.
    var opening = 0
    private(set) var isStopping = false
    var watchers: [Int: AsyncStream<AdapterNews>.Continuation] = [:]
    var lastWatcher = 0
    /// Counts sessions that are one adapter's own.
    var ownSessions = 0
    /// Sessions to log out, which may take seconds: `run` does it, and `stop` does what `run` left.
    private var retired: [ObjectIdentifier: ServerSession] = [:]
    private let ended: (stream: AsyncStream<ServerSession>, continuation: AsyncStream<ServerSession>.Continuation)

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        connector.loop.executor.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - directory: where adapters' sockets are made: owned by the user, mode 0700, and short enough for a socket's
    ///     path.
    ///   - grantsDirectory: where directories of grants are made: likewise.
    ///   - paths: where those of configured adapters are kept; nil keeps none.
    package init(
        connector: ServerConnector,
        store: CredentialStore,
        directory: String,
        grantsDirectory: String,
        paths: LoopbackPaths? = nil,
        limits: AdapterLimits = AdapterLimits(),
        logger: Logger
    ) {
        self.connector = connector
        self.store = store
        self.directory = directory
        self.grantsDirectory = grantsDirectory
        self.paths = paths
        self.limits = limits
        self.logger = logger
        budget = RequestBudget(bytes: limits.totalRequestBytes, loop: connector.loop)
        parsers = Turnstile(width: limits.parsers, loop: connector.loop)
        ended = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Ends what used a login whenever the vault locks, and logs out sessions that are no longer used, until the task
    /// is
    /// cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                // By number: a lock counts also if the vault is open again before this task runs.
                var known: UInt64 = 0
                for await count in await self.store.lockCounts() where count != known {
                    known = count
                    await self.vaultLocked()
                }
            }
            for await session in ended.stream {
                group.addTask { await self.logOut(session) }
            }
        }
    }

    /// Closes every adapter, logs out every session, and opens no further ones.
    package func stop() async {
        isStopping = true
        for session in sessions.removeAll(where: { _ in true }) { retire(session) }
        for id in adapters.keys { end(id, .stopping) }
        ended.continuation.finish()
        await withDiscardingTaskGroup { group in
            for session in retired.values { group.addTask { await self.logOut(session) } }
        }
    }

    /// Whether an adapter or a session depends on the vault still: false once a lock has ended them all, and servers
    /// were notified or their time is over.
    package var usesVault: Bool { !retired.isEmpty || adapters.values.contains { $0.seat?.key.needsVault == true } }

    private func vaultLocked() {
        // That a server refused a login is remembered: unlocking is no reason to send the password again.
        for session in sessions.removeUsed(where: \.needsVault) { retire(session) }
        end(.vaultLocked) { $0.needsVault }
    }

    func retire(_ session: ServerSession) {
        retired[ObjectIdentifier(session)] = session
        ended.continuation.yield(session)
    }

    private func logOut(_ session: ServerSession) async {
        let left = await session.close()
        if left > 0 {
            logger.info("the server was not told that its session has ended", metadata: ["sessions": "\(left)"])
        }
        retired[ObjectIdentifier(session)] = nil
    }

    package var openAdapters: [Adapter] {
        adapters.values.filter { $0.grant == nil }.map(\.adapter).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    package var sessionCount: Int { sessions.usedCount }

    func leave(_ seat: Seat) {
        let isKept = !seat.key.isOwn
        guard var unused = sessions.release(seat.session, for: seat.key, isKept: { isKept && isHeldBack($0) }) else {
            return
        }
        if seat.key.isOwn, isHeldBack(unused) {
            // What an own session has learned of a refusal, the next of the login has to know.
            guard let surplus = sessions.keep(unused, as: seat.sharedKey) else { return }
            unused = surplus
        }
        retire(unused)
    }

    /// A session in which the password is held back outlives its users, so that the next one does not send it after all.
    func isHeldBack(_ session: ServerSession) -> Bool {
        session.holdsBackPasswordNow
    }
}

/// Watching adapters: which ones open and close, and why.
extension ConnectionBroker {
    private static let mostWatchers = 64
    /// Events that may wait for a watcher.
    private static let mostNews = 256

    /// The adapters that are open now, and what happens from now on. The news end for a watcher that is too slow.
    ///
    /// - Throws: `BrokerError.tooManyWatchers`
    package func watch() throws(BrokerError) -> (adapters: [Adapter], news: AsyncStream<AdapterNews>) {
        guard watchers.count < Self.mostWatchers else { throw .tooManyWatchers(limit: Self.mostWatchers) }
        let (news, continuation) = AsyncStream.makeStream(
            of: AdapterNews.self,
            bufferingPolicy: .bufferingOldest(Self.mostNews)
        )
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = continuation
        continuation.onTermination = { [weak self, loop = connector.loop] _ in
            guard let self else { return }
            loop.execute(for: self) { $0.watchers[number] = nil }
        }
        return (openAdapters, news)
    }

    func tell(_ news: AdapterNews) {
        for (number, watcher) in watchers {
            guard case .dropped = watcher.yield(news) else { continue }
            watchers[number] = nil
            watcher.finish()
        }
    }
}
