// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// When a connection has been as it is for too long.
struct ConnectionClock {
    enum Phase: Hashable {
        /// No call and no byte of one.
        case idle
        /// A request has begun to arrive.
        case receiving
        /// A call is running: for as long as it likes.
        case running
        /// A secret is expected.
        case awaitingSecret
        /// Replies wait for the peer to read.
        case stalled
    }

    private(set) var phase = Phase.idle
    private var since: NIODeadline
    private let limits: VarlinkLimits

    init(_ limits: VarlinkLimits, now: NIODeadline) {
        self.limits = limits
        since = now
    }

    /// A phase's time starts when it is entered, not when it is confirmed; only idleness starts anew.
    mutating func enter(_ phase: Phase, now: NIODeadline) {
        guard phase != self.phase || phase == .idle else { return }
        self.phase = phase
        since = now
    }

    /// The wait for the next frame begins anew after each call, however short.
    mutating func callStarted() {
        phase = .running
    }

    /// Nil for as long as the phase may last.
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
