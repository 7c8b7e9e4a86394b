// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// How far one source of sightings is.
struct SourceProgress {
    /// Has it report everything once more.
    let resend: @Sendable () -> Void
    var state: SourceState?
    var isSettled = false
    var upSince: NIODeadline?
    var heardAt: NIODeadline?
    /// Runs when what the source did not say again is forgotten.
    var forgetting: Scheduled<Void>?

    init(resend: @escaping @Sendable () -> Void) {
        self.resend = resend
    }

    /// The source has said all it knew at first, or does not work.
    var isWorthAsking: Bool { isSettled || (state != nil && state != .up) }

    mutating func note(_ event: SightingEvent) {
        switch event {
        case .source(let new):
            state = new
            isSettled = false
            forgetting?.cancel()
            upSince = new == .up ? .now() : nil
            heardAt = nil
        case .settled:
            isSettled = true
        case .sighted:
            heardAt = .now()
        case .vanished, .lost:
            break
        }
    }
}
