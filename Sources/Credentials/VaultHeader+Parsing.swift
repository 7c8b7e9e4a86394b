// SPDX-License-Identifier: Apache-2.0

import Platform

extension VaultHeader {
    /// Parses the header of a complete file. Rejects every header that no writer of format 1 makes.
    ///
    /// The order of the checks is part of the format: another type of file or a newer version is reported before damage.
    /// Apart from the version and the header length, no field is used before the digest has been checked.
    init(parsing file: UnsafeRawBufferPointer) throws(CredentialError) {
        var reader = ByteReader(file)
        guard let magic = reader.bytes(Self.magic.count), magic == Self.magic else {
            // A file that ends inside the magic is a damaged vault. Any other file was never a vault.
            guard !file.isEmpty, Self.magic.starts(with: file) else { throw .notAVault }
            throw .damaged(.size)
        }
        guard let major = reader.integer(UInt16.self), let minor = reader.integer(UInt16.self) else {
            throw .damaged(.size)
        }
        guard major <= Self.major else { throw .versionTooNew(major: Int(major), minor: Int(minor)) }
        guard major == Self.major else { throw .damaged(.header("version")) }
        guard let length = reader.integer(UInt32.self) else { throw .damaged(.size) }
        let allowed = (1...VaultLimits.slots).map(Self.byteCount(slots:))
        guard let slotCount = allowed.firstIndex(of: Int(length)).map({ $0 + 1 }) else {
            throw .damaged(.headerLength)
        }
        guard file.count >= Int(length) else { throw .damaged(.size) }
        try Self.checkDigest(of: UnsafeRawBufferPointer(rebasing: file[..<Int(length)]))

        guard reader.integer(UInt16.self) == Self.suite else { throw .damaged(.header("suite")) }
        guard reader.integer(UInt16.self) == 0 else { throw .damaged(.header("flags")) }
        guard let storeID = reader.bytes(16), let generation = reader.integer(UInt64.self),
            let previousHash = reader.bytes(32), let saveSalt = reader.bytes(32), reader.slice(32) != nil
        else { throw .damaged(.size) }
        guard generation > 0, generation <= VaultLimits.lastNumber else { throw .damaged(.header("generation")) }
        guard reader.integer(UInt8.self) == UInt8(slotCount) else { throw .damaged(.header("slot count")) }
        guard reader.bytes(3) == [0, 0, 0] else { throw .damaged(.header("reserved")) }
        var slots: [KeySlot] = []
        for index in 0..<slotCount {
            guard let slot = reader.slice(KeySlot.byteCount).flatMap(KeySlot.init(parsing:)) else {
                throw .damaged(.slot(index))
            }
            guard !slots.contains(where: { $0.id == slot.id }) else { throw .damaged(.slot(index)) }
            slots.append(slot)
        }
        guard let payloadByteCount = reader.integer(UInt32.self).map(Int.init), payloadByteCount > 0,
            payloadByteCount <= VaultLimits.payloadBytes, payloadByteCount.isMultiple(of: VaultLimits.blockBytes)
        else { throw .damaged(.header("payload length")) }
        self.init(
            minor: minor,
            storeID: storeID,
            generation: generation,
            previousHash: previousHash,
            saveSalt: saveSalt,
            slots: slots,
            payloadByteCount: payloadByteCount
        )
    }

    private static func checkDigest(of header: UnsafeRawBufferPointer) throws(CredentialError) {
        let behind = digestOffset + SHA256.byteCount
        let computed = try translated { () throws(PlatformError) in
            var digest = try SHA256()
            try digest.update(UnsafeRawBufferPointer(rebasing: header[..<digestOffset]))
            try digest.update(UnsafeRawBufferPointer(rebasing: header[behind..<(header.count - tagByteCount)]))
            return try digest.finalize()
        }
        guard header[digestOffset..<behind].elementsEqual(computed) else { throw .damaged(.headerDigest) }
    }
}
