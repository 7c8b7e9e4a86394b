// SPDX-License-Identifier: Apache-2.0

import Platform

/// The payload's plain text: sections of type, length and body in ascending order, then zeros up to 4096.
enum PayloadCodec {
    enum Section {
        static let entries: UInt16 = 1
        static let pins: UInt16 = 2
        static let settings: UInt16 = 3
        static let grants: UInt16 = 4
        static let anchorKey: UInt16 = 5
        static let audit: UInt16 = 6
    }

    static let auditByteCount = VaultKeys.keyByteCount + 8 + 32
    private static let sectionHeadByteCount = 6

    /// Lets `body` have the padded plain text, which is wiped afterwards.
    static func withEncoded<R>(
        _ payload: VaultPayload,
        _ keys: VaultKeys,
        in arena: SecretArena,
        _ body: (UnsafeMutableRawBufferPointer) throws(CredentialError) -> R
    ) throws(CredentialError) -> R {
        var open = ByteWriter()
        try append(Section.entries, payload.entries.map(\.encoded), of: .logins, to: &open)
        let pins = try translated { () throws(PlatformError) in
            try payload.pins.map { pinned throws(PlatformError) in try pinned.encoded() }
        }
        try append(Section.pins, pins, of: .pins, to: &open)
        try append(Section.settings, payload.settings.map(\.encoded), of: .settings, to: &open)
        try append(Section.grants, payload.grants.map(\.encoded), of: .grants, to: &open)
        let keyBytes = 2 * sectionHeadByteCount + VaultKeys.keyByteCount + auditByteCount
        let blocks = (open.bytes.count + keyBytes + VaultLimits.blockBytes - 1) / VaultLimits.blockBytes
        guard blocks * VaultLimits.blockBytes <= VaultLimits.payloadBytes else {
            throw .full(.bytes, limit: VaultLimits.payloadBytes)
        }
        return try withWipedBytes(blocks * VaultLimits.blockBytes) { room throws(CredentialError) in
            room.copyBytes(from: open.bytes)
            append(keys, to: UnsafeMutableRawBufferPointer(rebasing: room[open.bytes.count...]))
            return try body(room)
        }
    }

    private static func append(
        _ section: UInt16,
        _ records: [[UInt8]],
        of content: VaultContent,
        to writer: inout ByteWriter
    ) throws(CredentialError) {
        guard records.count <= VaultLimits.records else { throw .full(content, limit: VaultLimits.records) }
        var body = ByteWriter()
        for record in records {
            body.append(UInt32(record.count))
            body.append(record)
        }
        writer.append(section)
        writer.append(UInt32(body.bytes.count))
        writer.append(body.bytes)
    }

    /// Key sections go straight into the wiped room, through no buffer that grows.
    private static func append(_ keys: VaultKeys, to room: UnsafeMutableRawBufferPointer) {
        var offset = 0
        func put(_ bytes: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: room[offset...]).copyMemory(from: bytes)
            offset += bytes.count
        }
        func head(_ section: UInt16, _ count: Int) {
            var writer = ByteWriter()
            writer.append(section)
            writer.append(UInt32(count))
            writer.bytes.withUnsafeBytes(put)
        }
        head(Section.anchorKey, VaultKeys.keyByteCount)
        keys.anchor.secret.withBytes(put)
        head(Section.audit, auditByteCount)
        keys.audit.secret.withBytes(put)
        var writer = ByteWriter()
        writer.append(keys.auditHead.sequence)
        writer.append(keys.auditHead.tag)
        writer.bytes.withUnsafeBytes(put)
    }
}
