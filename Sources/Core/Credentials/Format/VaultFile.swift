// SPDX-License-Identifier: Apache-2.0

import Platform

/// A vault file whose header has been checked. Nothing is decrypted yet.
struct VaultFile: Sendable, Hashable {
    let header: VaultHeader
    /// The whole file.
    let bytes: [UInt8]
    /// SHA-256 of the whole file.
    let hash: [UInt8]

    /// Parses a file without a key.
    ///
    /// - Throws: `CredentialError.notAVault`, `.versionTooNew` or `.damaged`.
    init(parsing bytes: [UInt8]) throws(CredentialError) {
        guard bytes.count <= VaultLimits.fileBytes else { throw .damaged(.size) }
        let header = try bytes.span.bytes.withUnsafeBytes { file throws(CredentialError) in
            try VaultHeader(parsing: file)
        }
        let size = header.byteCount + header.payloadByteCount + VaultHeader.gcmTagByteCount
        guard bytes.count == size else { throw .damaged(.size) }
        hash = SHA256.digest(of: bytes)
        self.header = header
        self.bytes = bytes
    }

    var headerBeforeTag: ArraySlice<UInt8> { bytes[..<(header.byteCount - VaultHeader.tagByteCount)] }
    var headerTag: ArraySlice<UInt8> { bytes[headerBeforeTag.endIndex..<header.byteCount] }
    var headerWithTag: ArraySlice<UInt8> { bytes[..<header.byteCount] }
    var ciphertext: ArraySlice<UInt8> { bytes[header.byteCount..<(header.byteCount + header.payloadByteCount)] }
    var gcmTag: ArraySlice<UInt8> { bytes[ciphertext.endIndex...] }

    var record: AnchorRecord { AnchorRecord(header, hash: hash) }
}

/// The format of the vault.
package enum VaultFormat {
    /// The newest version that this program writes, such as `1.0`.
    package static var newest: String { "\(VaultVersion.newest)" }
}

/// The part of a vault file that can be read without a key.
struct VaultHeader: Sendable, Hashable {
    static let suite: UInt16 = 1
    static let magic: [UInt8] = [0x89, 0x52, 0x43, 0x56, 0x0D, 0x0A, 0x1A, 0x0A]

    static let digestOffset = 108
    static let slotsOffset = 144
    static let storeIDByteCount = 16
    static let tagByteCount = 32
    static let gcmTagByteCount = 16

    /// The lowest version that can store the content.
    var version = VaultVersion.oldest
    /// 16 random bytes, made with the vault and never changed.
    let storeID: [UInt8]
    /// The number of the save: 1 for the first, one more for each that follows.
    var generation: UInt64
    /// SHA-256 of the whole file before this one; 32 zero bytes in generation 1.
    var previousHash: [UInt8]
    /// 32 random bytes, fresh at each save, so that every key of a save is used once.
    var saveSalt: [UInt8]
    var slots: [KeySlot]
    /// The length of the ciphertext without its tag: a multiple of 4096.
    var payloadByteCount: Int

    /// The header length, H in docs/vault-format.md.
    var byteCount: Int { Self.byteCount(slots: slots.count) }

    static func byteCount(slots: Int) -> Int {
        slotsOffset + slots * KeySlot.byteCount + 4 + tagByteCount
    }

    /// Encodes all header bytes before the tag.
    func encodedBeforeTag() throws(PlatformError) -> [UInt8] {
        var front = ByteWriter()
        front.append(Self.magic)
        front.append(version.major)
        front.append(version.minor)
        front.append(UInt32(byteCount))
        front.append(Self.suite)
        front.append(UInt16(0))
        front.append(storeID)
        front.append(generation)
        front.append(previousHash)
        front.append(saveSalt)
        var back = ByteWriter()
        back.append(UInt8(slots.count))
        back.append(zeros: 3)
        for slot in slots { back.append(slot.encoded) }
        back.append(UInt32(payloadByteCount))
        return front.bytes + SHA256.digest(of: front.bytes + back.bytes) + back.bytes
    }
}

extension VaultHeader {
    /// Parses the header of a complete file. Rejects every header that no writer of format 1 or 2 makes.
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
        let version = VaultVersion(major, minor)
        guard major <= VaultVersion.newest.major else { throw .tooNew(version) }
        guard version >= .oldest else { throw .damaged(.header("version")) }
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
            version: version,
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
        var digest = SHA256()
        digest.update(UnsafeRawBufferPointer(rebasing: header[..<digestOffset]))
        digest.update(UnsafeRawBufferPointer(rebasing: header[behind..<(header.count - tagByteCount)]))
        guard header[digestOffset..<behind].elementsEqual(digest.finalize()) else { throw .damaged(.headerDigest) }
    }
}

/// Limits of the format (docs/vault-format.md). A reader checks them before it allocates.
package enum VaultLimits {
    /// Key slots of a vault.
    package static let slots = 8
    /// Bytes of the payload.
    package static let payloadBytes = 8 * 1024 * 1024
    /// Bytes of the whole file, checked before it is read.
    package static let fileBytes = 16 * 1024 * 1024
    /// Records of each kind: logins, pinned endpoints and others.
    package static let records = 1024
    /// Bytes of a text.
    package static let stringBytes = 4096
    /// Bytes of a sealed secret.
    package static let secretBytes = 16 * 1024
    /// Bytes of a passphrase.
    package static let passphraseBytes = 1024
    /// Bytes of a password command, with two for the length of each argument.
    static let commandBytes = 4096
    /// Bytes of a slot's label.
    package static let labelBytes = 64
    static let blockBytes = 4096
    /// The highest generation, revision and line number of the audit log. No vault reaches it by use, and one more
    /// still fits the type.
    static let lastNumber: UInt64 = (1 << 62) - 1
}

/// The first check that a damaged vault file fails (docs/vault-format.md, "Faults").
package enum VaultDamage: Hashable, Sendable, CustomStringConvertible {
    /// The file is truncated, or bytes were appended.
    case size
    /// The length of the header is not one of the eight values.
    case headerLength
    /// The digest of the header is wrong. It needs no key.
    case headerDigest
    /// A header field is out of bounds although the digest is right: this program did not write it.
    case header(String)
    /// A key slot is out of bounds; the index counts from 0.
    case slot(Int)
    /// The wrapped data key of a slot does not open although the slot's commitment is right.
    case slotKey
    /// The header tag is wrong. It needs the data key.
    case headerTag
    /// The tag of the payload is wrong.
    case payload
    /// The payload opens, but its content breaks the format.
    case record(String)
    /// The seal of a login's secret does not open.
    case entry

    /// The name of the check, for messages.
    package var description: String {
        switch self {
        case .size: "wrong size"
        case .headerLength: "header length"
        case .headerDigest: "header digest"
        case .header(let field): "header field \(field)"
        case .slot(let index): "key slot \(index)"
        case .slotKey: "data key"
        case .headerTag: "header tag"
        case .payload: "payload"
        case .record(let what): "record: \(what)"
        case .entry: "seal of a login"
        }
    }
}
