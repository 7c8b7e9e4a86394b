// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Credentials

/// The parts of a vault, and the keys that are needed to seal it again after a change.
struct FormatBase {
    private let arena: SecretArena
    private let dataKey: SharedSecret
    /// The header with its tag.
    let header: [UInt8]
    /// The payload before encryption.
    let plain: [UInt8]
    /// The payload in the file, with its tag.
    let sealed: [UInt8]

    init(_ bytes: [UInt8], dataKey: [UInt8], in arena: SecretArena) throws {
        let file = try VaultFile(parsing: bytes)
        self.arena = arena
        self.dataKey = SharedSecret(try Secret(copying: dataKey, in: arena))
        let header = Array(file.headerWithTag)
        sealed = Array(bytes[header.count...])
        let secret = self.dataKey
        let key = try DataKey(secret: secret, storeID: file.header.storeID, arena: arena)
            .payloadKey(saveSalt: file.header.saveSalt)
        var room = [UInt8](repeating: 0, count: file.header.payloadByteCount)
        let isOpen = try room.withUnsafeMutableBytes { room in
            try Array(file.ciphertext).withUnsafeBytes {
                try AESGCM.open(
                    $0,
                    tag: Array(file.gcmTag),
                    key: key,
                    associatedData: SHA256.digest(of: header),
                    into: room
                )
            }
        }
        guard isOpen else { throw CredentialError.damaged(.payload) }
        self.header = header
        plain = room
    }

    func setPayloadLength(_ count: Int, in header: inout [UInt8]) {
        var writer = ByteWriter()
        writer.append(UInt32(count))
        header.replaceSubrange((header.count - 36)..<(header.count - 32), with: writer.bytes)
    }

    /// Repairs the digest, as an attacker without a key can.
    func setDigest(in header: inout [UInt8]) throws {
        let digest = SHA256.digest(of: Array(header[..<108] + header[140..<(header.count - 32)]))
        header.replaceSubrange(108..<140, with: digest)
    }

    private func key(under header: [UInt8]) -> DataKey {
        DataKey(secret: dataKey, storeID: Array(header[20..<36]), arena: arena)
    }

    func setTag(in header: inout [UInt8]) throws {
        let front = Array(header[..<(header.count - 32)])
        let tag = try key(under: header).headerTag(of: front, saveSalt: Array(header[76..<108]))
        header = front + tag
    }

    /// - Returns: ciphertext and tag.
    func seal(_ plain: [UInt8], under header: [UInt8]) throws -> [UInt8] {
        let key = try key(under: header).payloadKey(saveSalt: Array(header[76..<108]))
        let digest = SHA256.digest(of: header)
        let result = try plain.withUnsafeBytes { try AESGCM.seal($0, key: key, associatedData: digest) }
        return result.ciphertext + result.tag
    }
}
