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

/// The origin of an endpoint. A discovered endpoint that the user also added or imported is `manual` or `imported`;
/// one that the administrator configured is always `configured`.
package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    case discovered, manual, imported, configured
}

/// The user's limits on the use of an endpoint through adapters and grants.
package struct AccessConstraints: Sendable, Hashable {
    /// Whether calls that may change data are refused.
    package var isReadOnly: Bool
    /// Whether the endpoint can be used through grants only, and not through adapters.
    package var isForGrantsOnly: Bool
    /// Whether a session may be made for a caller that learns its ClientID.
    package var allowsSessionExport: Bool
    /// Whether the user must approve each adapter, grant and session before it is made.
    package var isConfirmed: Bool
    /// Whether a login may be sent to a process of this machine even if the kernel does not report its owner.
    package var acceptsUnknownOwner: Bool

    /// Constraints with these values. By default every use is allowed without approval, except session export and an
    /// unknown owner.
    package init(
        isReadOnly: Bool = false,
        isForGrantsOnly: Bool = false,
        allowsSessionExport: Bool = false,
        isConfirmed: Bool = false,
        acceptsUnknownOwner: Bool = false
    ) {
        self.isReadOnly = isReadOnly
        self.isForGrantsOnly = isForGrantsOnly
        self.allowsSessionExport = allowsSessionExport
        self.isConfirmed = isConfirmed
        self.acceptsUnknownOwner = acceptsUnknownOwner
    }
}
