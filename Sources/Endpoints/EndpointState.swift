// SPDX-License-Identifier: Apache-2.0

/// What is known of an endpoint right now.
package enum EndpointState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Added by hand; neither announced nor contacted yet.
    case unknown
    /// A source announces it now. Announced is not alive: it was not contacted.
    case announced
    /// It was announced, and the source that did so has gone silent itself.
    case stale
    /// The last attempt to use it reached a server.
    case reachable
    /// The last attempt to use it reached nobody.
    case unreachable
    /// Another server announces the same name, or somebody else than the pinned server stands at its place. The first does
    /// not keep a login from going out, because that proves the pin; with the second none does until the user has decided.
    case conflict
}
