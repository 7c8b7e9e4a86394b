// SPDX-License-Identifier: Apache-2.0

package import Endpoints

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
