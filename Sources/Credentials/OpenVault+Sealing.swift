// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// Makes the bytes of a vault file that contains `payload`.
    ///
    /// - Parameter header: must contain the generation and the previous hash of the new file. Minor version, save
    ///   salt and payload length are set here.
    /// - Throws: `CredentialError.versionTooNew` if a later minor version wrote the previous file.
    static func seal(
        _ payload: VaultPayload,
        _ keys: VaultKeys,
        header: VaultHeader,
        dataKey: SharedSecret,
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) -> [UInt8] {
        guard header.minor <= VaultHeader.newestMinor else {
            throw .versionTooNew(major: Int(VaultHeader.major), minor: Int(header.minor))
        }
        return try PayloadCodec.withEncoded(payload, keys, in: schedule.arena) { plain throws(CredentialError) in
            try translated { () throws(PlatformError) in
                var header = header
                header.minor = payload.minor
                header.saveSalt = try random.bytes(32)
                header.payloadByteCount = plain.count
                let storeID = header.storeID
                let front = try header.encodedBeforeTag()
                let tag = try schedule.headerTag(
                    of: front,
                    dataKey.secret,
                    storeID: storeID,
                    saveSalt: header.saveSalt
                )
                let key = try schedule.payloadKey(dataKey.secret, storeID: storeID, saveSalt: header.saveSalt)
                let gcmTag = try AESGCM.seal(
                    UnsafeRawBufferPointer(plain),
                    key: key,
                    associatedData: try SHA256.digest(of: front + tag),
                    into: plain
                )
                return front + tag + Array(plain) + gcmTag
            }
        }
    }

    /// Makes the bytes of the file that follows this one, with another payload.
    func next(_ payload: VaultPayload, _ keys: VaultKeys, random: any RandomSource) throws(CredentialError) -> [UInt8] {
        var header = header
        header.generation += 1
        header.previousHash = hash
        return try Self.seal(payload, keys, header: header, dataKey: dataKey, schedule: schedule, random: random)
    }
}
