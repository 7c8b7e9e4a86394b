// SPDX-License-Identifier: Apache-2.0

import Platform

/// A record of the vault's last save, stored outside the vault's file to detect rollback (docs/vault-format.md).
struct RollbackAnchor: Sendable, Hashable {
    static let byteCount = 104
    private static let magic: [UInt8] = [0x89, 0x52, 0x43, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let major: UInt16 = 1
    private static let minor: UInt16 = 0

    let storeID: [UInt8]
    let generation: UInt64
    let hash: [UInt8]

    init(_ position: VaultPosition) {
        storeID = position.storeID
        generation = position.generation
        hash = position.hash
    }

    /// Encodes the anchor and its tag.
    ///
    /// - Parameter key: the anchor key of the vault.
    func encoded(key: borrowing Secret) throws(PlatformError) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append(Self.major)
        writer.append(Self.minor)
        writer.append(zeros: 4)
        writer.append(storeID)
        writer.append(generation)
        writer.append(hash)
        let front = writer.bytes
        return front + (try key.withBytes { key throws(PlatformError) in try HMACSHA256.tag(of: front, key: key) })
    }
}

extension AnchorFinding {
    /// Parses an anchor, and checks that it is of the vault with this store ID and anchor key.
    init(parsing bytes: [UInt8], storeID: [UInt8], key: borrowing Secret) throws(PlatformError) {
        guard let anchor = bytes.span.bytes.withUnsafeBytes(RollbackAnchor.init(parsing:)) else {
            self = .ignored(.malformed)
            return
        }
        // Checked before the tag, because another vault's anchor has a tag under another key.
        guard anchor.storeID == storeID else {
            self = .ignored(.otherVault)
            return
        }
        let isRight = ConstantTime.areEqual(bytes, try anchor.encoded(key: key))
        self = isRight ? .found(anchor) : .ignored(.wrongTag)
    }
}

extension RollbackAnchor {
    /// Parses an anchor without checking its tag.
    fileprivate init?(parsing bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard bytes.count == Self.byteCount, reader.bytes(Self.magic.count) == Self.magic,
            reader.integer(UInt16.self) == Self.major, reader.integer(UInt16.self) == Self.minor,
            reader.bytes(4) == [0, 0, 0, 0], let storeID = reader.bytes(16),
            let generation = reader.integer(UInt64.self), generation > 0, let hash = reader.bytes(32)
        else { return nil }
        self.storeID = storeID
        self.generation = generation
        self.hash = hash
    }
}
