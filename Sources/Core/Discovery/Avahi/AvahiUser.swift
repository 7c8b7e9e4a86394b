// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Glibc

/// An actor on Avahi's thread that uses avahi-daemon, and reconnects when avahi-daemon or the bus restarts.
///
/// `ConnectionState` makes the decisions; the code here carries them out.
protocol AvahiUser: Actor {
    nonisolated var loop: AvahiLoop { get }
    var link: AvahiLink { get set }

    func tell(_ state: SourceState)

    /// Called when avahi-daemon responds on a new connection.
    func begin()

    /// Called when avahi-daemon responds, or its host name has changed. Services can be published once the name is
    /// settled.
    func hostName(isSettled: Bool)

    /// Called after the connections, and every object on them, were freed.
    func lostConnections()
}

/// The connections of an `AvahiUser` to avahi-daemon, with their state.
struct AvahiLink {
    /// The state of the first connection is the state of all. The others only take objects for which the first has no
    /// capacity.
    fileprivate(set) var connections: [AvahiConnection] = []
    fileprivate var state = ConnectionState()
    fileprivate var connectionsMade = 0
    fileprivate var retryTimer: LoopTimer?
    /// The watch for the socket of the system bus; nil unless there is no system bus.
    fileprivate var busArrival: FileArrival?

    /// Whether avahi-daemon responds.
    var isUsable: Bool { state.isUsable }

    /// Records that the connections have worked, so that the next failure is retried soon.
    mutating func succeeded() { state.succeeded() }
}

extension AvahiUser {
    /// Schedules `body` on the actor, on Avahi's thread. Does not wait for it.
    nonisolated func run(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.execute { self.assumeIsolated(body) }
    }

    /// Runs `body` immediately, from a callback on Avahi's thread, which is the actor's executor.
    nonisolated func reenter<Result: Sendable>(_ body: (isolated Self) throws -> Result) rethrows -> Result {
        try assumeIsolated(body)
    }

    func startLink() { perform(link.state.start()) }

    func stopLink() {
        perform(link.state.stop())
        link.busArrival = nil
    }

    /// Checks whether avahi-daemon responds, even if it sends nothing. Blocks for two seconds at most.
    func askForLife() {
        perform(link.state.asked())
        guard link.state.isUsable else { return }
        do {
            try SystemBus.askAvahi()
        } catch {
            failed(error)
        }
    }

    /// Drops the connections later, because the failed call may have been made in one of their callbacks.
    func fail(_ error: DiscoveryError) {
        let failing = link.connections.first?.id
        run { user in
            if user.link.connections.first?.id == failing { user.failed(error) }
        }
    }

    /// Adds a connection. Blocks for several D-Bus calls.
    @discardableResult
    func addConnection() throws(DiscoveryError) -> AvahiConnection {
        link.connectionsMade += 1
        let id = link.connectionsMade
        let began = SuspendingClock.now
        let connection = try AvahiConnection(id: id, on: loop) { report in
            self.reenter { $0.connection(id, reports: report) }
        }
        link.connections.append(connection)
        // libavahi-client treats an avahi-daemon that does not respond as absent, and would wait until it appears.
        if SuspendingClock.now - began > .seconds(5) { throw .notAnswering }
        return connection
    }

    private func failed(_ error: DiscoveryError) {
        var random = SystemRandomNumberGenerator()
        perform(link.state.failed(error, using: &random))
        // A new bus may also allow access that the previous one denied.
        if !error.isPassing, link.busArrival == nil {
            link.busArrival = FileArrival(of: SystemBus.socketPath, on: loop) {
                self.reenter { $0.busAppeared() }
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
                    self.reenter { $0.perform($0.link.state.retry()) }
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

    /// Handles the report that avahi-daemon is absent. libavahi-client gives no reason, so the bus is queried.
    private func wait() {
        do {
            try SystemBus.askAvahi()
            // It responds now, though it did not respond to libavahi-client a moment ago. libavahi-client would wait
            // for it to appear.
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
        // Freeing a client frees the objects on it. The owners of their callbacks are dropped afterwards.
        for connection in link.connections { connection.free() }
        let hadSome = !link.connections.isEmpty
        link.connections = []
        if hadSome { lostConnections() }
    }
}

/// Reports when a file appears in a directory, by inotify(7) on Avahi's loop. It has no cost while the directory is
/// unchanged.
final class FileArrival {
    private let descriptor: Int32
    private var watch: DescriptorWatch?

    /// - Parameter report: called on the loop's thread, never from within Avahi's code.
    /// - Returns: nil if the directory does not exist or cannot be watched.
    init?(of path: String, on loop: AvahiLoop, report: @escaping @Sendable () -> Void) {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let name = String(path[path.index(after: slash)...])
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = UInt32(IN_CREATE | IN_MOVED_TO)
        guard inotify_add_watch(descriptor, String(path[..<slash]), events) >= 0 else {
            close(descriptor)
            return nil
        }
        let watch = DescriptorWatch(descriptor, on: loop) { [unowned loop] in
            if Self.names(from: descriptor).contains(name) { loop.execute(report) }
        }
        guard let watch else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.watch = watch
    }

    deinit {
        watch = nil
        close(descriptor)
    }

    /// Reads inotify events: a header of 16 bytes, which includes the length of the name, then the name, padded with
    /// zeros.
    private static func names(from descriptor: Int32) -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var names: [String] = []
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return names }
            var offset = 0
            while offset + 16 <= count {
                let length = buffer.withUnsafeBytes {
                    Int($0.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                }
                let end = min(offset + 16 + length, count)
                names.append(String(decoding: buffer[(offset + 16)..<end].prefix { $0 != 0 }, as: UTF8.self))
                offset = end
            }
        }
    }
}
