// SPDX-License-Identifier: Apache-2.0

import Endpoints

extension Pin {
    /// Reads what `canonicalRecord` writes, and nothing else.
    init?(canonicalRecord bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let tier = reader.integer(UInt8.self) else { return nil }
        var fields: [[UInt8]] = []
        while !reader.isAtEnd {
            guard fields.count < 2, let field = reader.counted(UInt16.self, limit: 256) else { return nil }
            fields.append(Array(field))
        }
        switch (tier, fields.count) {
        case (3, 1) where fields[0].count == 32:
            self = .tls(spkiSHA256: fields[0])
        case (0, 2), (1, 2):
            guard let address = IPAddress(bytes: fields[0]), fields[1].count == 2 else { return nil }
            let port = UInt16(fields[1][0]) | UInt16(fields[1][1]) << 8
            self = tier == 0 ? .loopback(address, port: port) : .address(address, port: port)
        default:
            return nil
        }
    }

    /// The same identity; scopes of link-local addresses, which differ from machine to machine, aside.
    func isSame(as other: Pin) -> Bool {
        canonicalRecord == other.canonicalRecord
    }
}
