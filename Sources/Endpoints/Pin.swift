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
