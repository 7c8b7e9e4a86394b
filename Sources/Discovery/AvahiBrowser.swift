// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Synchronization

/// Finds service instances through avahi-daemon, and goes on doing so while avahi-daemon and the bus come and go.
///
/// It runs on Avahi's thread, which may hang for seconds: nothing outside awaits it. What others need is `nonisolated` and
/// returns at once.
package actor AvahiBrowser: SightingSource {
    package nonisolated let name = SourceName.avahi
    private let types: [String]
    let limits: DiscoveryLimits
    nonisolated let loop: AvahiLoop
    private nonisolated let stream: AsyncStream<SightingEvent>
    private nonisolated let continuation: AsyncStream<SightingEvent>.Continuation
    private nonisolated let counted = Mutex(DiscoveryCounters())

    private var state = ConnectionState()
    var browse: BrowseState
    /// The first one carries the browsers, and its reports are the source's; the others carry resolvers only.
    var connections: [AvahiConnection] = []
    var browsers: [String: TypeBrowser] = [:]
    var resolvers: [Sighting.Key: Resolver] = [:]
    private var connectionsMade = 0
    private var retryTimer: LoopTimer?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter types: service types such as `_http._tcp`. One that Avahi refuses keeps the source `down`.
    package init(types: [String], limits: DiscoveryLimits = DiscoveryLimits(), on loop: AvahiLoop) {
        self.types = types
        self.limits = limits
        self.loop = loop
        browse = BrowseState(types: types, limit: limits.instancesPerType)
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    package nonisolated func events() -> AsyncStream<SightingEvent> {
        continuation.onTermination = { [weak self] _ in self?.leave() }
        run { $0.perform($0.state.start()) }
        return stream
    }

    package nonisolated func stop() {
        continuation.finish()
        leave()
    }

    /// What it did and holds, as of the last time that Avahi's thread was not blocked.
    package nonisolated var counters: DiscoveryCounters { counted.withLock { $0 } }

    private nonisolated func leave() {
        run { $0.perform($0.state.stop()) }
    }
}

extension AvahiBrowser {
    /// Calls `body` on the actor, on Avahi's thread, later. Nobody waits for it.
    nonisolated func run(_ body: @escaping @Sendable (isolated AvahiBrowser) -> Void) {
        loop.execute { self.assumeIsolated(body) }
    }

    nonisolated func count(_ change: (inout DiscoveryCounters) -> Void) {
        counted.withLock { change(&$0) }
    }

    func tell(_ event: SightingEvent) {
        count { $0.events += 1 }
        if event == .settled { state.succeeded() }
        continuation.yield(event)
    }

    /// Gives the connections up, later: the call that failed may have been made in a callback of theirs.
    func fail(_ error: DiscoveryError) {
        let failing = connections.first?.id
        run { browser in
            if browser.connections.first?.id == failing { browser.failed(error) }
        }
    }

    private func failed(_ error: DiscoveryError) {
        var random = SystemRandomNumberGenerator()
        perform(state.failed(error, using: &random))
    }

    private func perform(_ actions: [ConnectionState.Action]) {
        for action in actions {
            switch action {
            case .connect: connect()
            case .disconnect: disconnect()
            case .begin: begin()
            case .tell(let state): tell(.source(state))
            case .retry(let pause):
                retryTimer = loop.schedule(after: pause) {
                    self.assumeIsolated { $0.perform($0.state.retry()) }
                }
            }
        }
    }

    private func connect() {
        do {
            try addConnection()
        } catch {
            failed(error)
        }
    }

    /// Blocks for some D-Bus calls.
    @discardableResult
    func addConnection() throws(DiscoveryError) -> AvahiConnection {
        connectionsMade += 1
        let id = connectionsMade
        let began = SuspendingClock.now
        let connection = try AvahiConnection(id: id, on: loop) { report in
            self.assumeIsolated { $0.connection(id, reports: report) }
        }
        connections.append(connection)
        count { $0.connections += 1 }
        // libavahi-client takes an avahi-daemon that does not answer for one that is absent, and would wait for its coming.
        if SuspendingClock.now - began > .seconds(5) { throw .notAnswering }
        return connection
    }

    private func connection(_ id: Int, reports report: AvahiConnection.Report) {
        guard connections.contains(where: { $0.id == id }) else { return }
        let isFirst = connections.first?.id == id
        switch report {
        case .failed(let error): failed(error)
        case .waiting where isFirst: perform(state.waits())
        case .usable where isFirst: perform(state.becameUsable())
        case .waiting, .usable: break
        }
    }

    private func begin() {
        browse = BrowseState(types: types, limit: limits.instancesPerType)
        for type in types { startBrowser(of: type) }
    }

    private func disconnect() {
        if let retryTimer { loop.cancel(retryTimer) }
        retryTimer = nil
        // Freeing a client frees what was made on it. What holds their callbacks goes afterwards.
        for connection in connections { connection.free() }
        if !connections.isEmpty { count { $0.failures += 1 } }
        connections = []
        browsers = [:]
        resolvers = [:]
        count {
            $0.connections = 0
            $0.resolvers = 0
        }
    }
}
