// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

extension Pin {
    /// The record of docs/vault-format.md, to which seals are bound.
    ///
    /// That of an authority is the one of a TLS key that no server has: its fingerprint. A reader of format 1.0, which knows
    /// no authorities, finds a sound record in it, and sends no password there.
    func vaultRecord() throws(PlatformError) -> [UInt8] {
        guard case .authority = self else { return canonicalRecord }
        return Pin.tls(spkiSHA256: try SHA256.digest(of: canonicalRecord)).canonicalRecord
    }

    /// Reads what `vaultRecord` writes, and nothing else; an authority as the TLS key that stands for it.
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

    /// As it stands in a vault.
    var withoutScope: Pin {
        if case .address(let address, let port) = self { .address(address.withoutScope, port: port) } else { self }
    }

    /// The same identity; scopes of link-local addresses, which differ from machine to machine, aside.
    package func isSame(as other: Pin) -> Bool {
        canonicalRecord == other.canonicalRecord
    }
}
