// SPDX-License-Identifier: Apache-2.0

/// The current state of an endpoint.
package enum EndpointState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Added by the user, neither announced nor contacted yet.
    case unknown
    /// A source announces it now. It was not contacted, so it may not be running.
    case announced
    /// It was announced, but its source is down.
    case stale
    /// The last attempt to use it reached a server.
    case reachable
    /// The last attempt to use it reached no server.
    case unreachable
    /// Another server announces the same name, or the server at its address is not the pinned one. In the first case
    /// logins are still sent, because the pin proves the server's identity. In the second case none is sent until the
    /// user has decided.
    case conflict
}
