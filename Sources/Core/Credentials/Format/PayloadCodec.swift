// SPDX-License-Identifier: Apache-2.0

import Endpoints
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

    /// Calls `body` with the padded plain text, and wipes it afterwards.
    static func withEncoded<R>(
        _ payload: VaultPayload,
        _ keys: VaultKeys,
        in arena: SecretArena,
        _ body: (UnsafeMutableRawBufferPointer) throws(CredentialError) -> R
    ) throws(CredentialError) -> R {
        var open = ByteWriter()
        try append(Section.entries, payload.entries.map(\.encoded), of: .logins, to: &open)
        let pins = try translated(payload.pins.map { pinned throws(PlatformError) in try pinned.encoded() })
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

    /// Writes the key sections directly into the wiped buffer. A buffer that grows would leave copies of the keys in
    /// memory.
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
        return try translating { () throws(PlatformError) in
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

/// The fields of one record of the payload, by tag. It points into the decrypted payload and must not outlive it.
struct VaultRecord {
    private var fields: [UInt16: UnsafeRawBufferPointer] = [:]
    /// Whether a later minor version wrote the record. Unknown fields are skipped then, instead of rejected.
    let isFromNewerMinor: Bool

    private static let maximumFieldBytes = VaultLimits.secretBytes + 4096

    /// Parses a record.
    ///
    /// - Parameter known: the highest known tag of this kind of record. Tags begin with 1.
    init(
        parsing bytes: UnsafeRawBufferPointer,
        known: UInt16,
        isFromNewerMinor: Bool
    ) throws(CredentialError) {
        self.isFromNewerMinor = isFromNewerMinor
        var reader = ByteReader(bytes)
        var last: UInt16 = 0
        while !reader.isAtEnd {
            // Tags must ascend, so that each record has only one encoding and no field occurs twice.
            guard let tag = reader.integer(UInt16.self), tag > last, tag <= known || isFromNewerMinor,
                let value = reader.counted(UInt32.self, limit: Self.maximumFieldBytes)
            else { throw .damaged(.record("field after \(last)")) }
            fields[tag] = value
            last = tag
        }
    }

    func optionalValue(_ tag: UInt16) -> UnsafeRawBufferPointer? { fields[tag] }

    func value(_ tag: UInt16) throws(CredentialError) -> UnsafeRawBufferPointer {
        guard let value = fields[tag] else { throw .damaged(.record("field \(tag) is missing")) }
        return value
    }

    func bytes(_ tag: UInt16) throws(CredentialError) -> [UInt8] {
        Array(try value(tag))
    }

    /// A text field: UTF-8 of at most 4 KiB.
    func string(_ tag: UInt16) throws(CredentialError) -> String {
        let value = try value(tag)
        guard value.count <= VaultLimits.stringBytes, let text = String(validating: value, as: UTF8.self) else {
            throw .damaged(.record("text of field \(tag)"))
        }
        return text
    }

    func integer<Value: FixedWidthInteger>(_ tag: UInt16) throws(CredentialError) -> Value {
        var reader = ByteReader(try value(tag))
        guard let integer = reader.integer(Value.self), reader.isAtEnd else {
            throw .damaged(.record("number of field \(tag)"))
        }
        return integer
    }
}

/// Reads little-endian fields from untrusted bytes, and never past their end.
struct ByteReader {
    private var rest: UnsafeRawBufferPointer

    /// - Parameter bytes: must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes
    }

    var count: Int { rest.count }
    var isAtEnd: Bool { rest.isEmpty }

    /// Whether the unread bytes are all zero, as padding must be.
    var isZero: Bool { rest.allSatisfy { $0 == 0 } }

    /// Reads the next `count` bytes without copying them.
    ///
    /// - Returns: nil if fewer than `count` bytes are left.
    mutating func slice(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        slice(count).map(Array.init)
    }

    /// Reads a byte count of the width of `Count`, at most `limit`, then that many bytes.
    mutating func counted<Count: FixedWidthInteger>(_: Count.Type, limit: Int) -> UnsafeRawBufferPointer? {
        guard let count = integer(Count.self), count <= limit else { return nil }
        return slice(Int(count))
    }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        slice(MemoryLayout<Value>.size).map { Value(littleEndian: $0.loadUnaligned(as: Value.self)) }
    }
}

/// Writes little-endian fields. Do not use it for secrets: when the buffer grows, the old copy stays in memory.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    mutating func append(zeros count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a field of a record: tag, length, value.
    mutating func append(field tag: UInt16, _ value: some Collection<UInt8>) {
        append(tag)
        append(UInt32(value.count))
        append(value)
    }

    mutating func append(field tag: UInt16, _ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { append(field: tag, $0) }
    }
}

extension Int {
    /// Adds a count that was read from a file and may have any value. A negative count is ignored, and an overflowing
    /// sum becomes the largest `Int`.
    mutating func addSaturating(_ count: Int64) {
        let (sum, overflows) = addingReportingOverflow(Int(Swift.max(0, count)))
        self = overflows ? .max : sum
    }
}
