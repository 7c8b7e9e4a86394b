// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import NIOCore
internal import Synchronization

/// Finds service instances through avahi-daemon, and goes on doing so while avahi-daemon and the bus come and go.
///
/// It runs on Avahi's thread, which may hang for seconds: nothing outside awaits it. What others need is `nonisolated` and
/// returns at once.
package actor AvahiBrowser: SightingSource, AvahiUser {
    package nonisolated let name = SourceName.avahi
    private let types: [String]
    let limits: DiscoveryLimits
    nonisolated let loop: AvahiLoop
    private nonisolated let stream = SightingStream()
    private nonisolated let counted = Mutex(DiscoveryCounters())
    private nonisolated let lifeChecks = Mutex(LifeChecks())

    /// Connections after the first carry resolvers only.
    var link = AvahiLink()
    var browse: BrowseState
    var browsers: [String: TypeBrowser] = [:]
    var resolvers: [Sighting.Key: Resolver] = [:]
    /// Those that will take the place of a resolver once they have answered.
    var freshResolvers: [Sighting.Key: Resolver] = [:]
    var resolversMade = 0
    var queue = ResolverQueue()
    var questions: [Int: HostNameQuestion] = [:]
    var questionsAsked = 0
    /// The next round of Avahi's loop is to make a resolver.
    var isResolving = false
    let network = LinkWatch()
    var expiryTimer: LoopTimer?
    private static let checkInterval = Duration.seconds(1)
    private var checkedAt: SuspendingClock.Instant?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter types: service types such as `_http._tcp`. One that Avahi refuses keeps the source `down`.
    package init(types: [String], limits: DiscoveryLimits = DiscoveryLimits(), on loop: AvahiLoop) {
        self.types = types
        self.limits = limits
        self.loop = loop
        browse = BrowseState(types: types, limit: limits.instancesPerType)
    }

    package nonisolated func events() -> SightingStream {
        stream.whenCancelled { [weak self] in self?.leave() }
        run {
            $0.watchLinks()
            $0.startLink()
        }
        return stream
    }

    package nonisolated func stop() {
        stream.finish()
        leave()
    }

    /// What it did and holds, as of the last time that Avahi's thread was not blocked.
    package nonisolated var counters: DiscoveryCounters { counted.withLock { $0 } }

    /// Finds out whether avahi-daemon still answers: while nothing happens, one that hangs is like one that has nothing to say.
    /// One that does not answer within two seconds is told as `down`. Where the source is down, Avahi is tried now.
    ///
    /// - Parameter done: called on Avahi's thread, which may hang for long.
    package nonisolated func checkLife(done: @escaping @Sendable () -> Void = {}) {
        run { browser in
            if browser.checkedAt.map({ SuspendingClock.now - $0 >= Self.checkInterval }) ?? true {
                browser.checkedAt = .now
                browser.askForLife()
            }
            done()
        }
    }

    /// As `checkLife`, and waits for it. Whoever asks while an answer is overdue gets none at once.
    ///
    /// - Returns: after `patience` at most; whether it was found out by then.
    package nonisolated func checkLife(within patience: Duration, on eventLoop: any EventLoop) async -> Bool {
        let number = lifeChecks.withLock { $0.isOverdue ? nil : $0.ask() }
        guard let number else { return false }
        let found = eventLoop.makePromise(of: Bool.self)
        let timer = eventLoop.scheduleTask(in: TimeAmount(patience)) { [weak self] in
            self?.lifeChecks.withLock { $0.gaveUp(number) }
            found.succeed(false)
        }
        checkLife { [weak self] in
            self?.lifeChecks.withLock { $0.answered(number) }
            found.succeed(true)
        }
        defer { timer.cancel() }
        return (try? await found.futureResult.get()) ?? false
    }

    /// Whether avahi-daemon's cache keeps the list from being complete.
    package nonisolated var shortage: CacheShortage? {
        let counters = counters
        return CacheShortage(
            instances: counters.namedOnFullestLink,
            silent: counters.silent,
            limit: AvahiConfiguration.current().cacheEntries
        )
    }

    private nonisolated func leave() {
        run {
            $0.network.end()
            $0.stopLink()
        }
    }
}

extension AvahiBrowser {
    nonisolated func count(_ change: (inout DiscoveryCounters) -> Void) {
        counted.withLock { change(&$0) }
    }

    func tell(_ event: SightingEvent) {
        count { $0.events += 1 }
        if event == .settled { link.state.succeeded() }
        stream.yield(event)
    }

    func tell(_ state: SourceState) { tell(.source(state)) }

    func begin() {
        browse = BrowseState(types: types, limit: limits.instancesPerType)
        for type in types { startBrowser(of: type) }
    }

    func hostName(isSettled: Bool) {}

    func lostConnections() {
        browsers = [:]
        resolvers = [:]
        freshResolvers = [:]
        queue = ResolverQueue()
        dropQuestions()
        if let expiryTimer { loop.cancel(expiryTimer) }
        expiryTimer = nil
        count {
            $0.failures += 1
            $0.connections = 0
            $0.resolvers = 0
        }
    }
}
