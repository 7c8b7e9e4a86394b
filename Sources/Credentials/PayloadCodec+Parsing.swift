// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

extension PayloadCodec {
    /// Decodes an authenticated plain text. An error in it was made by the program that wrote it.
    ///
    /// - Parameter minor: the file's minor version. If it is newer than this program's, unknown sections and fields
    ///   are skipped.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        minor: UInt16,
        in arena: SecretArena
    ) throws(CredentialError) -> (VaultPayload, VaultKeys) {
        let isFromNewerMinor = minor > VaultHeader.newestMinor
        let sections = try sections(bytes, isFromNewerMinor: isFromNewerMinor)
        func records(_ section: UInt16, known: UInt16) throws(CredentialError) -> [VaultRecord] {
            guard let body = sections[section] else { throw .damaged(.record("section \(section) is missing")) }
            return try Self.records(body, known: known, isFromNewerMinor: isFromNewerMinor)
        }
        var payload = VaultPayload()
        for record in try records(Section.entries, known: VaultEntry.lastTag(minor: minor)) {
            payload.entries.append(try VaultEntry(record))
        }
        for record in try records(Section.pins, known: PinnedEndpoint.lastTag(minor: minor)) {
            payload.pins.append(try PinnedEndpoint(record))
        }
        for record in try records(Section.settings, known: 2) { payload.settings.append(try VaultSetting(record)) }
        for record in try records(Section.grants, known: 7) { payload.grants.append(try VaultGrant(record)) }
        try payload.checkReferences()
        return (payload, try keys(anchor: sections[Section.anchorKey], audit: sections[Section.audit], in: arena))
    }

    private static func sections(
        _ bytes: UnsafeRawBufferPointer,
        isFromNewerMinor: Bool
    ) throws(CredentialError) -> [UInt16: UnsafeRawBufferPointer] {
        var reader = ByteReader(bytes)
        var sections: [UInt16: UnsafeRawBufferPointer] = [:]
        var last: UInt16 = 0
        while !reader.isZero {
            guard let section = reader.integer(UInt16.self), section > last,
                section <= Section.audit || isFromNewerMinor,
                let body = reader.counted(UInt32.self, limit: VaultLimits.payloadBytes)
            else { throw .damaged(.record("section after \(last)")) }
            sections[section] = body
            last = section
        }
        // Each payload has only one encoding: the padding is shorter than one block.
        guard reader.count < VaultLimits.blockBytes else { throw .damaged(.record("padding")) }
        return sections
    }

    private static func records(
        _ body: UnsafeRawBufferPointer,
        known: UInt16,
        isFromNewerMinor: Bool
    ) throws(CredentialError) -> [VaultRecord] {
        var reader = ByteReader(body)
        var records: [VaultRecord] = []
        while !reader.isAtEnd {
            guard records.count < VaultLimits.records,
                let bytes = reader.counted(UInt32.self, limit: VaultLimits.payloadBytes)
            else { throw .damaged(.record("after \(Counted(records.count, "record"))")) }
            records.append(try VaultRecord(parsing: bytes, known: known, isFromNewerMinor: isFromNewerMinor))
        }
        return records
    }

    private static func keys(
        anchor: UnsafeRawBufferPointer?,
        audit: UnsafeRawBufferPointer?,
        in arena: SecretArena
    ) throws(CredentialError) -> VaultKeys {
        guard let anchor, anchor.count == VaultKeys.keyByteCount else { throw .damaged(.record("anchor key")) }
        guard let audit, audit.count == auditByteCount else { throw .damaged(.record("audit key")) }
        var reader = ByteReader(audit)
        guard let key = reader.slice(VaultKeys.keyByteCount), let sequence = reader.integer(UInt64.self),
            let tag = reader.bytes(32)
        else { throw .damaged(.record("audit key")) }
        guard sequence <= VaultLimits.lastNumber else { throw .damaged(.record("audit sequence")) }
        return try translated { () throws(PlatformError) in
            VaultKeys(
                anchor: SharedSecret(try Secret(copying: anchor, in: arena)),
                audit: SharedSecret(try Secret(copying: key, in: arena)),
                auditHead: VaultKeys.AuditHead(sequence: sequence, tag: tag)
            )
        }
    }
}

extension VaultPayload {
    /// Checks that IDs and names are unique, and that every login has a pin.
    fileprivate func checkReferences() throws(CredentialError) {
        guard Set(entries.map(\.id)).count == entries.count else { throw .damaged(.record("login id twice")) }
        guard Set(entries.map(\.name)).count == entries.count else { throw .damaged(.record("login name twice")) }
        let pinned = Set(pins.map(\.endpoint))
        guard pinned.count == pins.count else { throw .damaged(.record("endpoint twice")) }
        guard entries.allSatisfy({ pinned.contains($0.endpoint) }) else {
            throw .damaged(.record("login without a pin"))
        }
        guard Set(settings.map(\.name)).count == settings.count else { throw .damaged(.record("setting twice")) }
        guard Set(grants.map(\.id)).count == grants.count else { throw .damaged(.record("grant twice")) }
    }
}
