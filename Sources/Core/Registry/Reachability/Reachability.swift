// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What attempts to reach one endpoint have met, damped: a server that comes and goes does not change it each time. Pure.
///
/// A failure counts at once, since whoever tells of one has tried twice or was somebody's call; and so does the first
/// success after it. A server that fails again within `calm` of that needs twice as many successes in a row as the last
/// time, up to `mostNeeded`.
package struct Reachability: Sendable, Hashable {
    /// Seconds.
    static let calm: Int64 = 600
    static let mostNeeded = 4

    /// What is shown.
    package private(set) var contact: Contact
    /// Unix seconds: since when it is so.
    package private(set) var since: Int64
    /// Unix seconds: when anything was heard last.
    package private(set) var heard: Int64
    /// It was saved by an earlier run, and nothing was heard in this one.
    package private(set) var isFromBefore = false
    private var latest: Contact
    private var recovered: Int64?
    private var needed = 1
    private var successes = 0

    /// - Parameter now: Unix seconds.
    package init(_ contact: Contact, at now: Int64) {
        self.contact = contact
        since = now
        heard = now
        latest = contact
    }

    /// As it was saved.
    package init(saved contact: Contact, since: Int64, heard: Int64) {
        self.init(contact, at: since)
        self.heard = heard
        isFromBefore = true
    }

    /// - Parameter now: Unix seconds.
    package mutating func hear(_ new: Contact, at now: Int64) {
        switch (contact, new) {
        case (.reached, .reached):
            break
        case (.reached, _):
            let isRelapse = recovered.map { now - $0 < Self.calm } ?? false
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
            // The reason that lasts is shown; reasons that take turns are no change.
            if latest == new { contact = new }
        }
        latest = new
        heard = now
        isFromBefore = false
    }

    /// Whether hearing this would change nothing: it is what was heard last, in the same second.
    package func isKnown(_ new: Contact, at now: Int64) -> Bool {
        heard == now && latest == new && contact == new && !isFromBefore
    }

    private mutating func turn(to new: Contact, at now: Int64) {
        contact = new
        since = now
        successes = 0
    }
}

/// What an attempt to use an endpoint, or to probe it, met.
package enum Contact: Sendable, Hashable {
    case reached
    case failed(StateReason)
    /// Another server answers than the one that the endpoint is pinned to.
    case conflict(StateReason)

    /// The state that an endpoint has because of it.
    package var state: EndpointState {
        switch self {
        case .reached: .reachable
        case .failed: .unreachable
        case .conflict: .conflict
        }
    }

    package var reason: StateReason? {
        switch self {
        case .reached: nil
        case .failed(let reason), .conflict(let reason): reason
        }
    }
}
