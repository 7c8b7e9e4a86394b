// SPDX-License-Identifier: Apache-2.0

/// The identity of a server. A login is bound to exactly one pin (docs/threat-model.md).
package enum Pin: Sendable, Hashable, Codable {
    /// The SHA-256 of the TLS certificate's SubjectPublicKeyInfo, 32 bytes.
    case tls(spkiSHA256: [UInt8])
    /// A certificate for this host from a trusted authority, with any key. The host is a name in lower case or an
    /// address.
    case authority(host: String)
    /// Plain HTTP at a literal address and port. It does not prove the server's identity. A link-local address has no
    /// scope here, because its interface is stored next to the pin.
    case address(IPAddress, port: UInt16)
    /// Plain HTTP at a loopback address. The connection never leaves this machine.
    case loopback(IPAddress, port: UInt16)

    /// The pin of plain HTTP at an address: `loopback` for a loopback address, otherwise `address`.
    package static func plain(_ address: IPAddress, port: UInt16) -> Pin {
        address.isLoopback ? .loopback(address, port: port) : .address(address.withoutScope, port: port)
    }

    /// Whether the pin has a link-local address, which is another machine on every link.
    package var isLinkLocal: Bool {
        if case .address(let address, _) = self { address.isLinkLocalIPv6 } else { false }
    }

    /// The proof that the server must give.
    package var strength: PinStrength {
        switch self {
        case .tls: .tlsKey
        case .authority: .authority
        case .address: .address
        case .loopback: .loopback
        }
    }

    /// The bytes that fingerprints are computed from: the strength's code, then each field as its length (u16,
    /// little-endian) and its bytes. The fields of an authority are `ca` and the host. The scope of a link-local
    /// address is left out, because it differs from machine to machine.
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

    /// The pin of a server that has a certificate for this host. It is nil for a link-local address, which is another
    /// machine on every link, so that no certificate can be for it.
    package static func authority(of host: ServerHost) -> Pin? {
        if case .address(_, zone: .some) = host { return nil }
        return .authority(host: host.text)
    }

    /// Whether a text can be the host of an `authority` pin: 1 to 253 bytes of lower-case letters, digits, `-`, `_`,
    /// `.` and `:`.
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

extension PinStrength {
    /// The byte of the strength in pin records (docs/vault-format.md) and in lines of the audit log (docs/audit.md).
    /// Both kinds of TLS have the same byte.
    package var code: UInt8 {
        switch self {
        case .tlsKey, .authority: 3
        case .address: 1
        case .loopback: 0
        }
    }

    /// Whether the server proves its identity over TLS, so that everything sent to it is encrypted.
    package var isEncrypted: Bool { self == .tlsKey || self == .authority }
}
