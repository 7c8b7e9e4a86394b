// SPDX-License-Identifier: Apache-2.0

import Platform

/// An unlocked vault at one save. A change makes another object. The data key is wiped when the last object is
/// released.
final class OpenVault: Sendable {
    let header: VaultHeader
    /// SHA-256 of the whole file.
    let hash: [UInt8]
    let dataKey: SharedSecret
    let payload: VaultPayload
    let keys: VaultKeys
    let schedule: KeySchedule

    /// Opens a file.
    ///
    /// - Throws: `CredentialError.damaged`. The data key is the right one, because the commitment of its slot
    ///   matched.
    init(_ file: VaultFile, dataKey: SharedSecret, schedule: KeySchedule) throws(CredentialError) {
        let header = file.header
        let tag = try translated { () throws(PlatformError) in
            try schedule.headerTag(
                of: Array(file.headerBeforeTag),
                dataKey.secret,
                storeID: header.storeID,
                saveSalt: header.saveSalt
            )
        }
        guard ConstantTime.areEqual(tag, Array(file.headerTag)) else { throw .damaged(.headerTag) }
        (payload, keys) = try Self.decrypt(file, dataKey: dataKey, schedule: schedule)
        self.header = header
        self.hash = file.hash
        self.dataKey = dataKey
        self.schedule = schedule
    }

    private static func decrypt(
        _ file: VaultFile,
        dataKey: SharedSecret,
        schedule: KeySchedule
    ) throws(CredentialError) -> (VaultPayload, VaultKeys) {
        try withWipedBytes(file.header.payloadByteCount) { room throws(CredentialError) in
            let header = file.header
            let isRight = try translated { () throws(PlatformError) in
                let key = try schedule.payloadKey(dataKey.secret, storeID: header.storeID, saveSalt: header.saveSalt)
                let associatedData = try SHA256.digest(of: Array(file.headerWithTag))
                return try file.ciphertext.span.bytes.withUnsafeBytes { sealed throws(PlatformError) in
                    try AESGCM.open(
                        sealed,
                        tag: Array(file.gcmTag),
                        key: key,
                        associatedData: associatedData,
                        into: room
                    )
                }
            }
            guard isRight else { throw .damaged(.payload) }
            return try PayloadCodec.decode(
                UnsafeRawBufferPointer(room),
                minor: file.header.minor,
                in: schedule.arena
            )
        }
    }
}
