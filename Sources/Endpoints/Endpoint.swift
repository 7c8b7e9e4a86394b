// SPDX-License-Identifier: Apache-2.0

/// One Relativity server as the registry shows it: however often it is sighted or added, it is one endpoint.
package struct Endpoint: Sendable, Hashable {
    package var id: EndpointID
    /// The user's name for it, else the announced instance name: foreign text.
    package var name: String
    package var origin: Origin
    package var state: EndpointState
    /// The reason for the state, where there is more to say than the state itself.
    package var stateReason: StateReason?
    /// Unix seconds: since when an attempt to reach the server has met this; nil in states that no attempt led to.
    package var stateSince: Int64?
    /// Unix seconds: when it was last found so by an earlier run of the daemon; nil once this one has tried.
    package var stateHeard: Int64?
    package var url: ServerURL
    /// What it is announced as, where it was added with another scheme or path than that.
    package var announcedURL: ServerURL?
    /// Where its host is sighted, or was last, IPv4 first. Empty for an added endpoint that nobody announced.
    package var addresses: [IPAddress]
    package var services: ServiceNames
    /// The announced instance, where there is one.
    package var instance: ServiceInstance?
    /// Names of the interfaces it is sighted on.
    package var interfaces: [String]
    /// The sources that sight it, in the order of their names.
    package var sources: [SourceName]
    /// TXT strings as announced.
    package var txt: [[UInt8]]
    /// False where the user has asked for no probes.
    package var isProbed: Bool
    /// The user does not want to see it in lists.
    package var isHidden: Bool
    package var constraints: AccessConstraints
    /// The domain that a login to it is usually for, where a file said so.
    package var loginDomain: String?
    /// The schema that a login to it is usually for, where a file said so.
    package var loginSchema: String?

    package init(
        id: EndpointID,
        name: String,
        origin: Origin,
        state: EndpointState,
        stateReason: StateReason?,
        stateSince: Int64? = nil,
        stateHeard: Int64? = nil,
        url: ServerURL,
        announcedURL: ServerURL? = nil,
        addresses: [IPAddress],
        services: ServiceNames,
        instance: ServiceInstance?,
        interfaces: [String],
        sources: [SourceName] = [],
        txt: [[UInt8]],
        isProbed: Bool = true,
        isHidden: Bool = false,
        constraints: AccessConstraints = AccessConstraints(),
        loginDomain: String? = nil,
        loginSchema: String? = nil
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.state = state
        self.stateReason = stateReason
        self.stateSince = stateSince
        self.stateHeard = stateHeard
        self.url = url
        self.announcedURL = announcedURL
        self.addresses = addresses
        self.services = services
        self.instance = instance
        self.interfaces = interfaces
        self.sources = sources
        self.txt = txt
        self.isProbed = isProbed
        self.isHidden = isHidden
        self.constraints = constraints
        self.loginDomain = loginDomain
        self.loginSchema = loginSchema
    }
}

/// The names of a server's services; the defaults are Relativity's (docs/wire.md, "Services").
package struct ServiceNames: Sendable, Hashable {
    package var data: String
    package var login: String

    package static let relativity = ServiceNames(data: "DataService", login: "LoginService")

    package init(data: String, login: String) {
        self.data = data
        self.login = login
    }

    /// A service name as it goes on the wire: 1 to 128 ASCII letters, digits, `_` and `.`.
    package static func isValid(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}
