// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A Relativity server in the registry. All sightings and entries of one server make one endpoint.
package struct Endpoint: Sendable, Hashable {
    /// The permanent ID.
    package var id: EndpointID
    /// The name that the user or the administrator gave, otherwise the announced instance name. Untrusted text.
    package var name: String
    /// How the endpoint came into the list.
    package var origin: Origin
    /// The current state.
    package var state: EndpointState
    /// The reason for the state; nil if there is nothing to add to it.
    package var stateReason: StateReason?
    /// Unix time in seconds since when attempts to reach the server have had this result; nil if no attempt led to the
    /// state.
    package var stateSince: Int64?
    /// Unix time in seconds when an earlier run of the daemon last found this state; nil once this run has tried.
    package var stateHeard: Int64?
    /// The URL of the server's dispatcher, to which calls are sent.
    package var url: ServerURL
    /// The announced URL if the endpoint was added with another scheme or path, otherwise nil. Calls are still sent to
    /// `url`.
    package var announcedURL: ServerURL?
    /// The addresses that are announced, or were last, IPv4 first. Empty for an added endpoint that was never
    /// announced.
    package var addresses: [IPAddress] = []
    /// The names of the server's services.
    package var services = ServiceNames.relativity
    /// The announced instance; nil if the server was never announced.
    package var instance: ServiceInstance?
    /// The names of the interfaces on which the server is sighted, sorted.
    package var interfaces: [String] = []
    /// The sources that sight the server, sorted by name.
    package var sources: [SourceName] = []
    /// The TXT strings as announced. Untrusted bytes.
    package var txt: [[UInt8]] = []
    /// Whether the server may be probed. False if the user has switched probes off.
    package var isProbed = true
    /// Whether lists for the user leave the endpoint out.
    package var isHidden = false
    /// The limits on its use through adapters and grants.
    package var constraints = AccessConstraints()
    /// The usual domain of its logins; nil unless a file gave one.
    package var loginDomain: String?
    /// The usual schema of its logins; nil unless a file gave one.
    package var loginSchema: String?
    /// The code page of its text that is not Unicode; nil if it is not known.
    package var codePage: String?
    /// The name of the login that is used if no other is named; nil if the user has set none.
    package var defaultLogin: String?
}

/// The user's limits on the use of an endpoint through adapters and grants.
package struct AccessConstraints: Sendable, Hashable {
    /// Whether calls that may change data are refused.
    package var isReadOnly = false
    /// Whether the endpoint can be used through grants only, and not through adapters.
    package var isForGrantsOnly = false
    /// Whether the user must approve each adapter and grant before it is made.
    package var isConfirmed = false
    /// Whether a login may be sent to a process of this machine even if the kernel does not report its owner.
    package var acceptsUnknownOwner = false

    /// Every use is allowed without approval, except an unknown owner.
    package init() {}
}
