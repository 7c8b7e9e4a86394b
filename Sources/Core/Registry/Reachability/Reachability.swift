// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The results of attempts to reach one endpoint, damped: a server that comes and goes does not change it each time. A
/// value without effects.
///
/// A failure counts immediately, because the monitor probes twice before it reports one, and the failure of a call has
/// affected a client. The first success after a failure counts immediately too. But if a server fails again within
/// `relapsePeriod` of its recovery, it needs twice as many successes in a row as the last time, up to `mostNeeded`.
package struct Reachability: Sendable, Hashable {
    /// Seconds.
    static let relapsePeriod: Int64 = 600
    static let mostNeeded = 4

    /// The result that is shown.
    package private(set) var contact: Contact
    /// Unix time in seconds since when this result is shown.
    package private(set) var since: Int64
    /// Unix time in seconds of the last result.
    package private(set) var heard: Int64
    /// Whether an earlier run saved this, and there was no result in this run.
    package private(set) var isFromBefore = false
    private var latest: Contact
    private var recovered: Int64?
    private var needed = 1
    private var successes = 0

    /// The first result.
    ///
    /// - Parameter now: Unix time in seconds.
    package init(_ contact: Contact, at now: Int64) {
        self.contact = contact
        since = now
        heard = now
        latest = contact
    }

    /// The reachability that an earlier run saved. Both times are Unix times in seconds.
    package init(saved contact: Contact, since: Int64, heard: Int64) {
        self.init(contact, at: since)
        self.heard = heard
        isFromBefore = true
    }

    /// - Parameter now: Unix seconds.
    package mutating func record(_ new: Contact, at now: Int64) {
        switch (contact, new) {
        case (.reached, .reached):
            break
        case (.reached, _):
            let isRelapse = recovered.map { now - $0 < Self.relapsePeriod } ?? false
            needed = isRelapse ? min(needed * 2, Self.mostNeeded) : 1
            turn(to: new, at: now)
        case (_, .reached):
            successes += 1
            if successes >= needed {
                turn(to: new, at: now)
                recovered = now
            }
        case (.failed, .conflict):
            turn(to: new, at: now)
        case (.conflict, .failed):
            successes = 0
            if latest == new { turn(to: new, at: now) }
        case (.failed, .failed), (.conflict, .conflict):
            successes = 0
            // Show a reason that occurs twice in a row. Reasons that alternate are not a change.
            if latest == new { contact = new }
        }
        latest = new
        heard = now
        isFromBefore = false
    }

    /// Whether `record` would change nothing, because the last result was the same in the same second.
    package func isKnown(_ new: Contact, at now: Int64) -> Bool {
        heard == now && latest == new && contact == new && !isFromBefore
    }

    private mutating func turn(to new: Contact, at now: Int64) {
        contact = new
        since = now
        successes = 0
    }
}

/// The result of a call or a probe.
package enum Contact: Sendable, Hashable {
    /// The server was reached.
    case reached
    /// The server was not reached.
    case failed(StateReason)
    /// The server that answers is not the pinned one.
    case conflict(StateReason)

    /// The state of an endpoint with this result.
    package var state: EndpointState {
        switch self {
        case .reached: .reachable
        case .failed: .unreachable
        case .conflict: .conflict
        }
    }

    /// The reason of a failure or conflict; nil if the server was reached.
    package var reason: StateReason? {
        switch self {
        case .reached: nil
        case .failed(let reason), .conflict(let reason): reason
        }
    }
}
