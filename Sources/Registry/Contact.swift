// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What an attempt to use an endpoint, or to probe it, met.
package enum Contact: Sendable, Hashable {
    case reached
    /// - Parameter reason: a sentence fragment, safe to show.
    case failed(reason: String)
    /// Somebody answers who is not the server that the endpoint is pinned to.
    ///
    /// - Parameter reason: a sentence fragment, safe to show.
    case conflict(reason: String)

    /// The state that an endpoint has because of it.
    package var state: EndpointState {
        switch self {
        case .reached: .reachable
        case .failed: .unreachable
        case .conflict: .conflict
        }
    }

    package var reason: String? {
        switch self {
        case .reached: nil
        case .failed(let reason), .conflict(let reason): reason
        }
    }
}
