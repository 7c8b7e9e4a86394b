// SPDX-License-Identifier: Apache-2.0

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
    package var addresses: [IPAddress]
    /// The names of the server's services.
    package var services: ServiceNames
    /// The announced instance; nil if the server was never announced.
    package var instance: ServiceInstance?
    /// The names of the interfaces on which the server is sighted, sorted.
    package var interfaces: [String]
    /// The sources that sight the server, sorted by name.
    package var sources: [SourceName]
    /// The TXT strings as announced. Untrusted bytes.
    package var txt: [[UInt8]]
    /// Whether the server may be probed. False if the user has switched probes off.
    package var isProbed: Bool
    /// Whether lists for the user leave the endpoint out.
    package var isHidden: Bool
    /// The limits on its use through adapters and grants.
    package var constraints: AccessConstraints
    /// The usual domain of its logins; nil unless a file gave one.
    package var loginDomain: String?
    /// The usual schema of its logins; nil unless a file gave one.
    package var loginSchema: String?
    /// The code page of its text that is not Unicode; nil if it is not known.
    package var codePage: String?
    /// The name of the login that is used if no other is named; nil if the user has set none.
    package var defaultLogin: String?

    /// An endpoint with these values.
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
        loginSchema: String? = nil,
        codePage: String? = nil,
        defaultLogin: String? = nil
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
        self.codePage = codePage
        self.defaultLogin = defaultLogin
    }
}

/// The names of a server's services; the defaults are Relativity's (docs/wire.md, "Services").
package struct ServiceNames: Sendable, Hashable {
    /// The name of the data service.
    package var data: String
    /// The name of the login service.
    package var login: String

    /// The default names of Relativity.
    package static let relativity = ServiceNames(data: "DataService", login: "LoginService")

    /// Names that are not checked. Use `isValid(_:)` before.
    package init(data: String, login: String) {
        self.data = data
        self.login = login
    }

    /// Whether a service name is valid on the wire: 1 to 128 ASCII letters, digits, `_` and `.`.
    package static func isValid(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count) && ASCII.isWord(name, marks: "_.")
    }
}

/// The permanent ID of an endpoint. It is not an address: a server that moves keeps its ID.
package struct EndpointID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Lower-case ASCII letters, digits and `-`, 1 to 64 of them.
    package let text: String

    /// - Returns: nil if the text has other characters or another length.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard isPlain, (1...64).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The ID itself.
    package var description: String { text }

    /// Hashes the bytes, because `String` would first normalise the text.
    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The names that a user may give to a server.
package enum EndpointName {
    private static let lengths = 1...63

    /// Whether `name` is 1 to 63 bytes of printable text that does not look like an option and does not begin or end
    /// with a space.
    package static func isValid(_ name: String) -> Bool {
        lengths.contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ")
            && Printable(name).description == name
    }
}

/// The user's limits on the use of an endpoint through adapters and grants.
package struct AccessConstraints: Sendable, Hashable {
    /// Whether calls that may change data are refused.
    package var isReadOnly: Bool
    /// Whether the endpoint can be used through grants only, and not through adapters.
    package var isForGrantsOnly: Bool
    /// Whether the user must approve each adapter and grant before it is made.
    package var isConfirmed: Bool
    /// Whether a login may be sent to a process of this machine even if the kernel does not report its owner.
    package var acceptsUnknownOwner: Bool

    /// Constraints with these values. By default every use is allowed without approval, except an unknown owner.
    package init(
        isReadOnly: Bool = false,
        isForGrantsOnly: Bool = false,
        isConfirmed: Bool = false,
        acceptsUnknownOwner: Bool = false
    ) {
        self.isReadOnly = isReadOnly
        self.isForGrantsOnly = isForGrantsOnly
        self.isConfirmed = isConfirmed
        self.acceptsUnknownOwner = acceptsUnknownOwner
    }
}
