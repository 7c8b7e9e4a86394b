// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// An actor on Avahi's thread that needs avahi-daemon, and goes on needing it while avahi-daemon and the bus come and go.
///
/// `ConnectionState` decides; what follows from its decisions is here.
protocol AvahiUser: Actor {
    nonisolated var loop: AvahiLoop { get }
    var link: AvahiLink { get set }

    func tell(_ state: SourceState)

    /// avahi-daemon answers on a new connection.
    func begin()

    /// avahi-daemon answers, or its host name has changed: services can be published if that is settled.
    func hostName(isSettled: Bool)

    /// The connections were freed, and every object on them.
    func lostConnections()
}

extension AvahiUser {
    /// Calls `body` on the actor, on Avahi's thread, later. Nobody waits for it.
    nonisolated func run(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.execute { self.assumeIsolated(body) }
    }

    func startLink() { perform(link.state.start()) }

    func stopLink() {
        perform(link.state.stop())
        link.busArrival = nil
    }

    /// Finds out whether avahi-daemon, which is silent, still answers; where it does not, whether it does again. Blocks for
    /// two seconds at most.
    func askForLife() {
        perform(link.state.asked())
        guard link.state.isUsable else { return }
        do {
            try SystemBus.askAvahi()
        } catch {
            failed(error)
        }
    }

    /// Gives the connections up, later: the call that failed may have been made in a callback of theirs.
    func fail(_ error: DiscoveryError) {
        let failing = link.connections.first?.id
        run { user in
            if user.link.connections.first?.id == failing { user.failed(error) }
        }
    }

    /// Blocks for some D-Bus calls.
    @discardableResult
    func addConnection() throws(DiscoveryError) -> AvahiConnection {
        link.connectionsMade += 1
        let id = link.connectionsMade
        let began = SuspendingClock.now
        let connection = try AvahiConnection(id: id, on: loop) { report in
            self.assumeIsolated { $0.connection(id, reports: report) }
        }
        link.connections.append(connection)
        // libavahi-client takes an avahi-daemon that does not answer for one that is absent, and would wait for its coming.
        if SuspendingClock.now - began > .seconds(5) { throw .notAnswering }
        return connection
    }

    private func failed(_ error: DiscoveryError) {
        var random = SystemRandomNumberGenerator()
        perform(link.state.failed(error, using: &random))
        // A bus that comes may also let in whom the one before did not.
        if !error.isPassing, link.busArrival == nil {
            link.busArrival = FileArrival(of: SystemBus.socketPath, on: loop) {
                self.assumeIsolated { $0.busAppeared() }
            }
        }
    }

    private func busAppeared() {
        var random = SystemRandomNumberGenerator()
        perform(link.state.busAppeared(using: &random))
    }

    private func perform(_ actions: [ConnectionState.Action]) {
        for action in actions {
            switch action {
            case .connect: connect()
            case .disconnect: disconnect()
            case .begin: begin()
            case .tell(let state): tell(state)
            case .retry(let pause):
                if let timer = link.retryTimer { loop.cancel(timer) }
                link.retryTimer = loop.schedule(after: pause) {
                    self.assumeIsolated { $0.perform($0.link.state.retry()) }
                }
            }
        }
    }

    private func connect() {
        do {
            try addConnection()
        } catch {
            failed(error == .noSystemBus ? SystemBus.whyUnreachable() : error)
        }
    }

    private func connection(_ id: Int, reports report: AvahiConnection.Report) {
        guard link.connections.contains(where: { $0.id == id }) else { return }
        let isFirst = link.connections.first?.id == id
        switch report {
        case .failed(let error): failed(error)
        case .waiting where isFirst: wait()
        case .usable(let isSettled) where isFirst:
            link.busArrival = nil
            perform(link.state.becameUsable())
            hostName(isSettled: isSettled)
        case .waiting, .usable: break
        }
    }

    /// libavahi-client says only that avahi-daemon is not there, whatever it was that kept it from answering.
    private func wait() {
        do {
            try SystemBus.askAvahi()
            // It answers us, though it did not answer libavahi-client a moment ago, which would wait for its coming now.
            failed(.notAnswering)
        } catch .notRunning {
            perform(link.state.waits())
        } catch {
            failed(error)
        }
    }

    private func disconnect() {
        if let timer = link.retryTimer { loop.cancel(timer) }
        link.retryTimer = nil
        // Freeing a client frees what was made on it. What holds their callbacks goes afterwards.
        for connection in link.connections { connection.free() }
        let hadSome = !link.connections.isEmpty
        link.connections = []
        if hadSome { lostConnections() }
    }
}
