// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The current phase of a connection, and when it times out.
struct ConnectionClock {
    enum Phase: Hashable {
        /// No call is running, and no byte of a request has arrived.
        case idle
        /// A request has begun to arrive.
        case receiving
        /// A call is running. It has no time limit.
        case running
        /// The server waits for a secret.
        case awaitingSecret
        /// Replies wait until the peer reads.
        case stalled
    }

    private(set) var phase = Phase.idle
    private var since: NIODeadline
    private let limits: VarlinkLimits

    init(_ limits: VarlinkLimits, now: NIODeadline) {
        self.limits = limits
        since = now
    }

    /// A phase's time starts when it is entered, not when it is confirmed. Only idle time starts again each time.
    mutating func enter(_ phase: Phase, now: NIODeadline) {
        guard phase != self.phase || phase == .idle else { return }
        self.phase = phase
        since = now
    }

    /// The time to wait for the next frame starts again after each call, however short the call was.
    mutating func callStarted() {
        phase = .running
    }

    /// When the phase times out; nil if it has no limit.
    var deadline: NIODeadline? {
        switch phase {
        case .idle: since + TimeAmount(limits.idleTime)
        case .receiving: since + TimeAmount(limits.frameTime)
        case .running: nil
        case .awaitingSecret: since + TimeAmount(limits.secretTime)
        case .stalled: since + TimeAmount(limits.stallTime)
        }
    }
}
