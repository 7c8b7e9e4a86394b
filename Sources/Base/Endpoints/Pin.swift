// SPDX-License-Identifier: Apache-2.0

/// What identifies an endpoint to us; a login is bound to exactly one pin (docs/threat-model.md).
package enum Pin: Sendable, Hashable, Codable {
    /// The SHA-256 of the TLS certificate's SubjectPublicKeyInfo, 32 bytes.
    case tls(spkiSHA256: [UInt8])
    /// A certificate for this host from a trusted authority, whatever its key: a host name in lower case, or an address.
    case authority(host: String)
    /// Plain HTTP: the literal address and port. It proves nothing about who answers there. A link-local address has no
    /// scope here: its interface stands beside the pin.
    case address(IPAddress, port: UInt16)
    /// Plain HTTP that never leaves this machine.
    case loopback(IPAddress, port: UInt16)

    /// The pin of plain HTTP at an address.
    package static func plain(_ address: IPAddress, port: UInt16) -> Pin {
        address.isLoopback ? .loopback(address, port: port) : .address(address.withoutScope, port: port)
    }

    /// The address is a link-local one, and means another machine on every link.
    package var isLinkLocal: Bool {
        if case .address(let address, _) = self { address.isLinkLocalIPv6 } else { false }
    }

    /// What the server has to prove.
    package var strength: PinStrength {
        switch self {
        case .tls: .tlsKey
        case .authority: .authority
        case .address: .address
        case .loopback: .loopback
        }
    }

    /// The bytes that fingerprints are made of: the code of the strength, then each field as u16 length and bytes, little-endian. Those of
    /// an authority are `ca` and the host. The scope of a link-local address is left out: it differs from machine to machine.
    package var canonicalRecord: [UInt8] {
        switch self {
        case .tls(let digest):
            record([digest])
        case .authority(let host):
            record([Array("ca".utf8), Array(host.utf8)])
        case .address(let address, let port), .loopback(let address, let port):
            record([address.bytes, [UInt8(port & 0xFF), UInt8(port >> 8)]])
        }
    }

    private func record(_ fields: [[UInt8]]) -> [UInt8] {
        fields.reduce(into: [strength.code]) { record, field in
            record.append(UInt8(field.count & 0xFF))
            record.append(UInt8(field.count >> 8 & 0xFF))
            record += field
        }
    }
}

extension Pin {
    /// The host that a certificate must be for; nil for every other pin.
    package var authorityHost: String? {
        if case .authority(let host) = self { host } else { nil }
    }

    /// A pin of the server that has a certificate for a host. It is nil for a link-local address, which means another
    /// machine on each link, so that no certificate can be for it.
    package static func authority(of host: ServerHost) -> Pin? {
        if case .address(_, zone: .some) = host { return nil }
        return .authority(host: host.text)
    }

    /// Whether a text can be the host of such a pin: 1 to 253 bytes of lower-case letters, digits, `-`, `_`, `.` and
    /// `:`.
    package static func isAuthorityHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
                default: false
                }
            }
    }
}

/// Strength of a pin: what a server has to prove before a password goes to it.
package enum PinStrength: String, Sendable, Hashable, CaseIterable {
    /// The private key of a TLS certificate.
    case tlsKey
    /// A TLS certificate for a host, from a trusted authority.
    case authority
    /// Nothing: plain HTTP at an address.
    case address
    /// Nothing by itself: plain HTTP at an address of this machine.
    case loopback

    /// The byte that stands for it in pin records (docs/vault-format.md) and in lines of the audit log (docs/audit.md). It is
    /// the same for both kinds of TLS.
    package var code: UInt8 {
        switch self {
        case .tlsKey, .authority: 3
        case .address: 1
        case .loopback: 0
        }
    }

    /// The server proves its identity over TLS, so that everything to it is encrypted.
    package var isEncrypted: Bool { self == .tlsKey || self == .authority }
}

/// How the user identifies a server that speaks TLS. The raw values are those of the API and of `--trust`.
package enum ServerTrust: String, Sendable, Hashable, CaseIterable {
    /// By its key.
    case key
    /// By a certificate for its host from an authority that the machine trusts.
    case authority = "ca"
}
