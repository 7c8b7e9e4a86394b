// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

/// The identity that the user verified for one endpoint, and the permissions of the endpoint.
package struct PinnedEndpoint: Sendable, Hashable {
    /// The endpoint.
    package internal(set) var endpoint: EndpointID
    /// The identity that its server must prove.
    package internal(set) var pin: Pin
    /// Whether the password may be sent unencrypted to the pinned address, on the network `networkID`.
    package internal(set) var allowsPlaintext: Bool
    /// 32 bytes; nil if the network could not be identified.
    package internal(set) var networkID: [UInt8]?
    /// The interface to which the permission for a link-local address is limited; nil for every other pin.
    package internal(set) var interface: String?
    /// False for an imported pin that the user has not verified on this machine. No password is sent there.
    package internal(set) var isVerified: Bool
    /// The name and URL that the endpoint had when its pin was verified; nil in vaults of earlier versions.
    package var location: EndpointLocation?
    /// The endpoint of which this is another address; nil for an endpoint of the list. An alternate has a location.
    package internal(set) var alternateOf: EndpointID?
    /// Whether the user has agreed that this address leads to the same database as the endpoint's own one.
    package internal(set) var isSameDatabase: Bool

    static let networkIDByteCount = 32

    /// Makes a pinned endpoint.
    ///
    /// - Parameters:
    ///   - pin: without the scope of a link-local address.
    ///   - networkID: 32 bytes, or nil.
    ///   - interface: a name that `isInterface` accepts. It is ignored unless the pin is link-local.
    package init(
        endpoint: EndpointID,
        pin: Pin,
        allowsPlaintext: Bool = false,
        networkID: [UInt8]? = nil,
        interface: String? = nil,
        isVerified: Bool = true,
        location: EndpointLocation? = nil,
        alternateOf: EndpointID? = nil,
        isSameDatabase: Bool = false
    ) {
        self.endpoint = endpoint
        self.pin = pin.withoutScope
        self.interface = pin.isLinkLocal ? interface : nil
        self.allowsPlaintext = allowsPlaintext
        self.networkID = networkID
        self.isVerified = isVerified
        self.location = location
        self.alternateOf = alternateOf
        self.isSameDatabase = isSameDatabase
    }

    /// This identity as that of an alternate address.
    package func alternate(of endpoint: EndpointID, isSameDatabase: Bool) -> PinnedEndpoint {
        var alternate = self
        (alternate.alternateOf, alternate.isSameDatabase) = (endpoint, isSameDatabase)
        return alternate
    }

    /// Makes an alternate address one of another endpoint. Its ID follows from both, unless its URL is damaged.
    mutating func move(to endpoint: EndpointID) {
        alternateOf = endpoint
        guard let url = location.flatMap({ try? ServerURL(completing: $0.url) }) else { return }
        self.endpoint = .alternate(of: endpoint, at: url)
    }

    /// Whether a text can name an interface in a record: 1 to 15 visible ASCII characters, no `/` and no `:`.
    package static func isInterface(_ name: String) -> Bool {
        (1...15).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":")
            }
    }

    /// The user's permission for plain HTTP.
    package var permission: PlaintextPermission {
        PlaintextPermission(user: allowsPlaintext ? .on(network: networkID, interface: interface) : .none)
    }
}

extension EndpointID {
    /// The ID of an alternate address in the vault (docs/vault-format.md). No endpoint of the list has it.
    package static func alternate(of endpoint: EndpointID, at url: ServerURL) -> EndpointID {
        let digest = SHA256.digest(of: Array("relativityd/alternate\0\(endpoint.text)\0\(url)".utf8))
        guard let id = EndpointID("alternate-" + HexText.encode(Array(digest.prefix(16)))) else {
            preconditionFailure("hexadecimal digits are letters of an id")
        }
        return id
    }
}

extension PinnedEndpoint: VaultRecord {
    private static let plaintextFlag: UInt32 = 1
    private static let unverifiedFlag: UInt32 = 2
    private static let sameDatabaseFlag: UInt32 = 4
    /// The version that added alternate addresses.
    private static let alternates = VaultVersion(2, 0)

    static func coded(
        _ pinned: PinnedEndpoint?,
        _ fields: inout RecordFields
    ) throws(CredentialError) -> PinnedEndpoint {
        let endpoint = try fields.endpointID(1, pinned?.endpoint)
        var pin = try fields.value(
            2,
            pinned?.pin,
            write: { $0.vaultRecord() },
            read: { Pin(vaultRecord: $0) }
        )
        let hasAlternates = pinned != nil || fields.version >= alternates
        let known = plaintextFlag | unverifiedFlag | (hasAlternates ? sameDatabaseFlag : 0)
        let flags =
            try fields.flags(
                3,
                pinned.map { pinned in
                    (pinned.allowsPlaintext ? plaintextFlag : 0) | (pinned.isVerified ? 0 : unverifiedFlag)
                        | (pinned.isSameDatabase ? sameDatabaseFlag : 0)
                },
                known: known
            ) & known
        let networkID = try fields.optional(
            4,
            pinned?.networkID,
            write: { $0 },
            read: { $0.count == networkIDByteCount ? Array($0) : nil }
        )
        let name = try fields.optionalText(5, pinned?.location?.name)
        let url = try fields.optionalText(6, pinned?.location?.url)
        guard (name == nil) == (url == nil) else { throw .damaged(.record("half of a location")) }
        // The host of a certificate authority. The pin record must be the one that this host yields.
        if let host = try fields.optionalText(7, since: VaultVersion(1, 1), pinned?.pin.authorityHost) {
            let authority = Pin.authority(host: host)
            guard Pin.isAuthorityHost(host), pin.vaultRecord() == authority.vaultRecord() else {
                throw .damaged(.record("authority"))
            }
            pin = authority
        }
        let interface = try fields.optionalText(8, since: VaultVersion(1, 2), pinned?.interface)
        guard interface.map({ pin.isLinkLocal && isInterface($0) }) ?? true else {
            throw .damaged(.record("interface"))
        }
        let alternateOf = try fields.optional(
            9,
            since: alternates,
            pinned?.alternateOf,
            write: { Array($0.text.utf8) },
            read: { RecordFields.text($0).flatMap { EndpointID($0) } }
        )
        guard alternateOf == nil ? flags & sameDatabaseFlag == 0 : url != nil else {
            throw .damaged(.record("alternate address"))
        }
        return PinnedEndpoint(
            endpoint: endpoint,
            pin: pin,
            allowsPlaintext: flags & plaintextFlag != 0,
            networkID: networkID,
            interface: interface,
            isVerified: flags & unverifiedFlag == 0,
            location: name.flatMap { name in url.map { EndpointLocation(name: name, url: $0) } },
            alternateOf: alternateOf,
            isSameDatabase: flags & sameDatabaseFlag != 0
        )
    }
}

extension Pin {
    /// The pin record of docs/vault-format.md, to which seals are bound.
    ///
    /// The record of an authority has the form of a TLS key that no server has. A reader of format 1.0, which has no
    /// authorities, finds a valid record in it, and sends no password there.
    func vaultRecord() -> [UInt8] {
        guard case .authority = self else { return canonicalRecord }
        return Pin.tls(spkiSHA256: SHA256.digest(of: canonicalRecord)).canonicalRecord
    }

    /// Parses a record that `vaultRecord` wrote. An authority is returned as the TLS key that represents it.
    init?(vaultRecord bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let code = reader.integer(UInt8.self) else { return nil }
        var fields: [[UInt8]] = []
        while !reader.isAtEnd {
            guard fields.count < 2, let field = reader.counted(UInt16.self, limit: 256) else { return nil }
            fields.append(Array(field))
        }
        switch (code, fields.count) {
        case (PinStrength.tlsKey.code, 1) where fields[0].count == 32:
            self = .tls(spkiSHA256: fields[0])
        case (PinStrength.loopback.code, 2), (PinStrength.address.code, 2):
            guard let address = IPAddress(bytes: fields[0]), fields[1].count == 2 else { return nil }
            let port = UInt16(fields[1][0]) | UInt16(fields[1][1]) << 8
            self = code == PinStrength.loopback.code ? .loopback(address, port: port) : .address(address, port: port)
        default:
            return nil
        }
    }

    /// The pin in the form that a vault stores.
    var withoutScope: Pin {
        if case .address(let address, let port) = self { .address(address.withoutScope, port: port) } else { self }
    }

    /// Whether both pins identify the same server. Scopes of link-local addresses are ignored, because they differ
    /// between machines.
    package func isSame(as other: Pin) -> Bool {
        canonicalRecord == other.canonicalRecord
    }
}

/// The name and URL that an endpoint had when its identity was verified. Another machine needs them to add the
/// endpoint again.
package struct EndpointLocation: Sendable, Hashable {
    /// The name that the user gave, or the announced name: untrusted text of at most 4096 bytes.
    package let name: String
    /// The URL as `ServerURL` writes it, at most 4096 bytes. A reader must parse it again.
    package let url: String

    /// Makes a location from its parts.
    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}

/// Identifies the network on which a plain-text permission holds. A LAN can be identified only by its gateway and
/// prefix.
package enum NetworkID {
    /// Makes the ID of a network.
    ///
    /// - Parameters:
    ///   - gateway: the link-layer address of the default gateway, as reported by the kernel.
    ///   - prefix: the network's address with host bits zero. `prefixLength` is its length in bits.
    /// - Returns: 32 bytes.
    package static func make(gateway: [UInt8], prefix: [UInt8], prefixLength: UInt8) -> [UInt8] {
        SHA256.digest(of: Array("rcv1/net".utf8) + gateway + prefix + [prefixLength])
    }
}
