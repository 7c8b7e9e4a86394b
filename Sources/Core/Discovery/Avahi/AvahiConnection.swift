// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints
internal import Platform

/// A client of avahi-daemon: one D-Bus connection and the objects that were created on it.
final class AvahiConnection {
    /// Distinguishes connections of one owner, because a delayed report may be from one that was freed.
    let id: Int
    let client: OpaquePointer
    /// The number of open resolvers on it.
    private var resolvers = 0
    /// Whether avahi-daemon currently refuses to create more objects on it.
    private var isFull = false
    private let callback: Callback<Report>

    /// A change in the state of the connection.
    enum Report: Sendable {
        /// avahi-daemon is not on the bus. libavahi-client reports when it appears.
        case waiting
        /// avahi-daemon responds. `isReady` says whether its host name is settled, so that services can be published.
        case usable(isReady: Bool)
        /// Final: the connection must be freed.
        case failed(DiscoveryError)
    }

    /// - Parameter report: called on the loop's thread, never before `init` has returned and never from within
    ///   Avahi's code, so that it may free the connection.
    init(id: Int, on loop: AvahiLoop, report: @escaping @Sendable (Report) -> Void) throws(DiscoveryError) {
        self.id = id
        callback = Callback { [unowned loop] state in loop.execute { report(state) } }
        let client = avahi_client_new(
            loop.api,
            AVAHI_CLIENT_NO_FAIL,
            { client, state, userdata in
                Callback.deliver(AvahiConnection.report(of: state, client), to: userdata)
            },
            callback.userdata,
            nil
        )
        // With NO_FAIL, an absent avahi-daemon is not an error. Only a failure of the bus is.
        guard let client else { throw .noSystemBus }
        self.client = client
    }

    /// Frees the client and every object that was created on it.
    func free() {
        avahi_client_free(client)
    }

    func resolverMade() { resolvers += 1 }

    func resolverFreed() {
        resolvers -= 1
        isFull = false
    }

    /// avahi-daemon has refused to create another object.
    func refusedObject() { isFull = true }

    /// Whether it can take another object.
    ///
    /// - Parameter others: its objects that are not resolvers.
    func hasCapacity(besides others: Int, limit: Int) -> Bool { !isFull && resolvers + others < limit }

    /// The error of the latest failed call on this connection.
    var lastError: DiscoveryError { .avahi(code: avahi_client_errno(client)) }

    private static func report(of state: AvahiClientState, _ client: OpaquePointer?) -> Report {
        switch state {
        case AVAHI_CLIENT_S_RUNNING: .usable(isReady: true)
        case AVAHI_CLIENT_S_REGISTERING, AVAHI_CLIENT_S_COLLISION: .usable(isReady: false)
        case AVAHI_CLIENT_CONNECTING: .waiting
        default: .failed(.avahi(code: client.map { avahi_client_errno($0) } ?? DiscoveryError.disconnected))
        }
    }
}

/// Decides when to connect to Avahi, when to drop a connection, and which state to report.
struct ConnectionState {
    enum Action: Equatable {
        case connect
        case disconnect
        /// avahi-daemon responds: create the objects.
        case begin
        case tell(SourceState)
        /// Call `retry()` after this time.
        case retry(after: Duration)
    }

    private enum Phase {
        case idle, connecting, usable, pausing, stopped
    }

    private var phase = Phase.idle
    /// The longest backoff for a fault that passes without a notification, so that recovery is detected within a
    /// second.
    private static let brief = Duration.milliseconds(800)

    private var backoff = Backoff(shortest: .milliseconds(100), longest: .seconds(15))
    private var told: SourceState?

    var isUsable: Bool { phase == .usable }

    mutating func start() -> [Action] {
        guard phase == .idle else { return [] }
        phase = .connecting
        return [.connect]
    }

    /// Handles that avahi-daemon is absent. Nothing is retried, because the connection reports when it appears.
    mutating func waits() -> [Action] {
        phase == .connecting ? tell(.down(DiscoveryError.notRunning.fault)) : []
    }

    mutating func becameUsable() -> [Action] {
        guard phase == .connecting else { return [] }
        phase = .usable
        return tell(.up) + [.begin]
    }

    mutating func failed(
        _ error: DiscoveryError,
        using random: inout some RandomNumberGenerator
    ) -> [Action] {
        guard phase == .connecting || phase == .usable else { return [] }
        phase = .pausing
        let pause = backoff.pause(atMost: error.isPassing ? Self.brief : nil, using: &random)
        return tell(.down(error.fault)) + [.disconnect, .retry(after: pause)]
    }

    mutating func retry() -> [Action] {
        guard phase == .pausing else { return [] }
        phase = .connecting
        return [.connect]
    }

    /// Retries immediately, because a caller needs the current state.
    func asked() -> [Action] { phase == .pausing ? [.retry(after: .zero)] : [] }

    /// Handles that the socket of the bus has appeared. The bus will listen on it soon, so the backoff starts again
    /// with its shortest interval.
    mutating func busAppeared(using random: inout some RandomNumberGenerator) -> [Action] {
        guard phase == .pausing else { return [] }
        backoff.reset()
        return [.retry(after: backoff.pause(using: &random))]
    }

    /// Handles that the connection has done its work. Only this resets the backoff. A successful connect is not enough.
    mutating func succeeded() {
        if phase == .usable { backoff.reset() }
    }

    mutating func stop() -> [Action] {
        guard phase != .stopped else { return [] }
        phase = .stopped
        return [.disconnect]
    }

    private mutating func tell(_ state: SourceState) -> [Action] {
        guard told != state else { return [] }
        told = state
        return [.tell(state)]
    }
}

/// Health checks of avahi-daemon. They are numbered in the order in which they were sent, and answered in that order.
struct LifeChecks {
    private var asked = 0
    private var answered = 0
    private var overdue = 0

    /// Whether a check has timed out and no answer has arrived since.
    var isOverdue: Bool { answered < overdue }

    mutating func ask() -> Int {
        asked += 1
        return asked
    }

    mutating func answered(_ number: Int) { answered = max(answered, number) }

    /// A caller has timed out. It does no harm if the answer has arrived in the meantime.
    mutating func gaveUp(_ number: Int) { overdue = max(overdue, number) }
}
