// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Decides when to connect to Avahi, when to give a connection up and what to say about it.
struct ConnectionState {
    enum Action: Equatable {
        case connect
        case disconnect
        /// avahi-daemon answers: make the objects.
        case begin
        case tell(SourceState)
        /// Call `retry()` after this pause.
        case retry(after: Duration)
    }

    private enum Phase {
        case idle, connecting, usable, pausing, stopped
    }

    private var phase = Phase.idle
    /// The longest pause where a fault passes without a sign, so that what comes back is found within a second.
    private static let brief = Duration.milliseconds(800)

    private var backoff = Backoff(shortest: .milliseconds(100), longest: .seconds(15))
    private var told: SourceState?

    var isUsable: Bool { phase == .usable }

    mutating func start() -> [Action] {
        guard phase == .idle else { return [] }
        phase = .connecting
        return [.connect]
    }

    /// avahi-daemon is not there; the connection will say when it is, so nothing is tried until then.
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

    /// Somebody wants to know now.
    func asked() -> [Action] { phase == .pausing ? [.retry(after: .zero)] : [] }

    /// The bus has made its socket and will listen soon: from here on the pauses grow anew.
    mutating func busAppeared(using random: inout some RandomNumberGenerator) -> [Action] {
        guard phase == .pausing else { return [] }
        backoff.reset()
        return [.retry(after: backoff.pause(using: &random))]
    }

    /// The connection has done what it is for. Only this ends the growth of the pauses: to connect is not enough.
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
