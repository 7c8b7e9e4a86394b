// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// The identity that the user verified for one endpoint, and the permissions of the endpoint.
package struct PinnedEndpoint: Sendable, Hashable {
    /// The endpoint.
    package let endpoint: EndpointID
    /// The identity that its server must prove.
    package internal(set) var pin: Pin
    /// Whether the password may be sent unencrypted to the pinned address, on the network `networkID`.
    package internal(set) var allowsPlaintext: Bool
    /// 32 bytes; nil if the network could not be identified.
    package internal(set) var networkID: [UInt8]?
    /// The interface to which the permission for a link-local address is limited; nil for every other pin.
    package internal(set) var interface: String?
    /// False for an imported pin that the user has not verified on this machine. No password is sent there.
    package internal(set) var isVerified = true
    /// The name and URL of the endpoint; nil in vaults of earlier versions.
    package internal(set) var location: EndpointLocation?

    static let networkIDByteCount = 32

    private enum Tag {
        static let endpoint: UInt16 = 1
        static let pin: UInt16 = 2
        static let flags: UInt16 = 3
        static let networkID: UInt16 = 4
        static let name: UInt16 = 5
        static let url: UInt16 = 6
        static let authority: UInt16 = 7
        static let interface: UInt16 = 8
    }

    /// The highest tag of a record in each minor version of the format.
    static func lastTag(minor: UInt16) -> UInt16 {
        switch minor {
        case 0: Tag.url
        case 1: Tag.authority
        default: Tag.interface
        }
    }

    /// The minor version of the format that a record needs.
    var minor: UInt16 { interface != nil ? 2 : pin.authorityHost != nil ? 1 : 0 }

    private static let plaintextFlag: UInt32 = 1
    private static let unverifiedFlag: UInt32 = 2

    func encoded() throws(PlatformError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(field: Tag.endpoint, endpoint.text.utf8)
        writer.append(field: Tag.pin, try pin.vaultRecord())
        writer.append(
            field: Tag.flags,
            (allowsPlaintext ? Self.plaintextFlag : 0) | (isVerified ? 0 : Self.unverifiedFlag)
        )
        if let networkID { writer.append(field: Tag.networkID, networkID) }
        if let location {
            writer.append(field: Tag.name, location.name.utf8)
            writer.append(field: Tag.url, location.url.utf8)
        }
        if let host = pin.authorityHost { writer.append(field: Tag.authority, host.utf8) }
        if let interface { writer.append(field: Tag.interface, interface.utf8) }
        return writer.bytes
    }

    /// Makes a pinned endpoint.
    ///
    /// - Parameters:
    ///   - pin: without the scope of a link-local address.
    ///   - networkID: 32 bytes, or nil.
    ///   - interface: a name that `isInterface` accepts. It is ignored unless the pin is link-local.
    package init(
        endpoint: EndpointID,
        pin: Pin,
        allowsPlaintext: Bool,
        networkID: [UInt8]?,
        interface: String? = nil,
        isVerified: Bool = true,
        location: EndpointLocation? = nil
    ) {
        self.endpoint = endpoint
        self.pin = pin.withoutScope
        self.interface = pin.isLinkLocal ? interface : nil
        self.allowsPlaintext = allowsPlaintext
        self.networkID = networkID
        self.isVerified = isVerified
        self.location = location
    }

    init(_ record: VaultRecord) throws(CredentialError) {
        guard let endpoint = EndpointID(try record.string(Tag.endpoint)) else { throw .damaged(.record("endpoint id")) }
        let pin = try Self.pin(record)
        let flags: UInt32 = try record.integer(Tag.flags)
        let known = Self.plaintextFlag | Self.unverifiedFlag
        guard flags & ~known == 0 || record.isFromNewerMinor else { throw .damaged(.record("pin flags")) }
        networkID = record.optionalValue(Tag.networkID).map(Array.init)
        guard networkID == nil || networkID?.count == Self.networkIDByteCount else {
            throw .damaged(.record("network id"))
        }
        guard (record.optionalValue(Tag.name) == nil) == (record.optionalValue(Tag.url) == nil) else {
            throw .damaged(.record("half of a location"))
        }
        if record.optionalValue(Tag.name) != nil {
            location = EndpointLocation(name: try record.string(Tag.name), url: try record.string(Tag.url))
        }
        interface = try Self.interface(record, of: pin)
        self.endpoint = endpoint
        self.pin = pin
        allowsPlaintext = flags & Self.plaintextFlag != 0
        isVerified = flags & Self.unverifiedFlag == 0
    }

    /// Decodes the pin. The host of a certificate authority is in a separate field. The pin record must be the one that
    /// this host yields.
    private static func pin(_ record: VaultRecord) throws(CredentialError) -> Pin {
        guard let pin = Pin(vaultRecord: try record.value(Tag.pin)) else { throw .damaged(.record("pin")) }
        guard record.optionalValue(Tag.authority) != nil else { return pin }
        let host = try record.string(Tag.authority)
        let authority = Pin.authority(host: host)
        let stored = try translated(authority.vaultRecord())
        guard Pin.isAuthorityHost(host), pin.canonicalRecord == stored else { throw .damaged(.record("authority")) }
        return authority
    }

    private static func interface(_ record: VaultRecord, of pin: Pin) throws(CredentialError) -> String? {
        guard record.optionalValue(Tag.interface) != nil else { return nil }
        let name = try record.string(Tag.interface)
        guard pin.isLinkLocal, isInterface(name) else { throw .damaged(.record("interface")) }
        return name
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

    /// The same pin under another ID.
    func moved(to endpoint: EndpointID) -> PinnedEndpoint {
        PinnedEndpoint(
            endpoint: endpoint,
            pin: pin,
            allowsPlaintext: allowsPlaintext,
            networkID: networkID,
            interface: interface,
            isVerified: isVerified,
            location: location
        )
    }
}

extension Pin {
    /// The pin record of docs/vault-format.md, to which seals are bound.
    ///
    /// The record of an authority has the form of a TLS key that no server has. A reader of format 1.0, which has no
    /// authorities, finds a valid record in it, and sends no password there.
    func vaultRecord() throws(PlatformError) -> [UInt8] {
        guard case .authority = self else { return canonicalRecord }
        return Pin.tls(spkiSHA256: try SHA256.digest(of: canonicalRecord)).canonicalRecord
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
    package static func make(
        gateway: [UInt8],
        prefix: [UInt8],
        prefixLength: UInt8
    ) throws(PlatformError) -> [UInt8] {
        try SHA256.digest(of: Array("rcv1/net".utf8) + gateway + prefix + [prefixLength])
    }
}
