// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The payload's plain text: sections of type, length and body in ascending order, then zeros up to 4096.
enum PayloadCodec {
    enum Section {
        static let entries: UInt16 = 1
        static let pins: UInt16 = 2
        /// Settings and grants, which no program has written. They are written empty, and their content is not read.
        static let unused: [UInt16] = [3, 4]
        static let anchorKey: UInt16 = 5
        static let audit: UInt16 = 6
    }

    static let auditByteCount = VaultKeys.keyByteCount + 8 + 32
    private static let sectionHeadByteCount = 6

    /// Calls `body` with the padded plain text and the lowest version that can store it. Wipes the text
    /// afterwards.
    static func withEncoded<R>(
        _ payload: VaultPayload,
        _ keys: VaultKeys,
        _ body: (UnsafeMutableRawBufferPointer, _ version: VaultVersion) throws(CredentialError) -> R
    ) throws(CredentialError) -> R {
        var open = ByteWriter()
        var version = VaultVersion.oldest
        func appendRecords<Record: VaultRecord>(
            _ section: UInt16,
            _ records: [Record],
            _ content: VaultContent
        ) throws(CredentialError) {
            guard records.count <= VaultLimits.records else { throw .full(content, limit: VaultLimits.records) }
            var body = ByteWriter()
            for record in records {
                var fields = RecordFields()
                _ = try Record.coded(record, &fields)
                body.append(UInt32(fields.written.count))
                body.append(fields.written)
                version = max(version, fields.version)
            }
            open.append(field: section, body.bytes)
        }
        try appendRecords(Section.entries, payload.entries, .logins)
        try appendRecords(Section.pins, payload.pins, .pins)
        for section in Section.unused { open.append(field: section, []) }
        let keyBytes = 2 * sectionHeadByteCount + VaultKeys.keyByteCount + auditByteCount
        let blocks = (open.bytes.count + keyBytes + VaultLimits.blockBytes - 1) / VaultLimits.blockBytes
        guard blocks * VaultLimits.blockBytes <= VaultLimits.payloadBytes else {
            throw .full(.bytes, limit: VaultLimits.payloadBytes)
        }
        return try withWipedBytes(blocks * VaultLimits.blockBytes) { buffer throws(CredentialError) in
            buffer.copyBytes(from: open.bytes)
            append(keys, to: UnsafeMutableRawBufferPointer(rebasing: buffer[open.bytes.count...]))
            return try body(buffer, version)
        }
    }

    /// Writes the key sections directly into the wiped buffer. A buffer that grows would leave copies of the keys in
    /// memory.
    private static func append(_ keys: VaultKeys, to buffer: UnsafeMutableRawBufferPointer) {
        var offset = 0
        func put(_ bytes: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]).copyMemory(from: bytes)
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
    /// - Parameter version: the file's version. If it is only partly known, unknown sections and fields are skipped.
    static func decode(
        _ bytes: UnsafeRawBufferPointer,
        version: VaultVersion,
        in arena: SecretArena
    ) throws(CredentialError) -> (VaultPayload, VaultKeys) {
        let sections = try sections(bytes, version)
        func body(_ section: UInt16) throws(CredentialError) -> UnsafeRawBufferPointer {
            guard let body = sections[section] else { throw .damaged(.record("section \(section) is missing")) }
            return body
        }
        func records(_ section: UInt16) throws(CredentialError) -> [RecordFields] {
            try Self.records(try body(section), version)
        }
        var payload = VaultPayload()
        for record in try records(Section.entries) { payload.entries.append(try record.read()) }
        for record in try records(Section.pins) { payload.pins.append(try record.read()) }
        for section in Section.unused { _ = try body(section) }
        try payload.checkReferences()
        return (payload, try keys(anchor: sections[Section.anchorKey], audit: sections[Section.audit], in: arena))
    }

    private static func sections(
        _ bytes: UnsafeRawBufferPointer,
        _ version: VaultVersion
    ) throws(CredentialError) -> [UInt16: UnsafeRawBufferPointer] {
        var reader = ByteReader(bytes)
        var sections: [UInt16: UnsafeRawBufferPointer] = [:]
        var last: UInt16 = 0
        while !reader.isZero {
            guard let section = reader.integer(UInt16.self), section > last,
                section <= Section.audit || version.isPartlyKnown,
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
        _ version: VaultVersion
    ) throws(CredentialError) -> [RecordFields] {
        var reader = ByteReader(body)
        var records: [RecordFields] = []
        while !reader.isAtEnd {
            guard records.count < VaultLimits.records,
                let bytes = reader.counted(UInt32.self, limit: VaultLimits.payloadBytes)
            else { throw .damaged(.record("after \(Counted(records.count, "record"))")) }
            records.append(try RecordFields(parsing: bytes, version))
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
        guard Set(pins.map(\.endpoint)).count == pins.count else { throw .damaged(.record("endpoint twice")) }
        let pinned = Set(pins.filter { $0.alternateOf == nil }.map(\.endpoint))
        guard pins.allSatisfy({ $0.alternateOf.map { pinned.contains($0) } ?? true }) else {
            throw .damaged(.record("alternate address without its endpoint"))
        }
        guard entries.allSatisfy({ pinned.contains($0.endpoint) }) else {
            throw .damaged(.record("login without a pin"))
        }
    }
}

/// A record of the payload. One function writes and reads it, so that each field is named once.
protocol VaultRecord {
    /// Writes the fields of `record`; reads a record if it is nil. Names the fields in ascending order of their tags.
    static func coded(_ record: Self?, _ fields: inout RecordFields) throws(CredentialError) -> Self
}

/// The fields of one record by tag: those to be read, or those that are written. Fields that are read point into the
/// decrypted payload and must not outlive it.
struct RecordFields {
    private var unread: [UInt16: UnsafeRawBufferPointer] = [:]
    private var writer = ByteWriter()
    /// The version of the file that is read, or the lowest one that can store what was written.
    private(set) var version = VaultVersion.oldest

    private static let maximumFieldBytes = VaultLimits.secretBytes + 4096

    /// Starts to write a record.
    init() {}

    /// Parses a record. Tags begin with 1.
    init(parsing bytes: UnsafeRawBufferPointer, _ version: VaultVersion) throws(CredentialError) {
        self.version = version
        var reader = ByteReader(bytes)
        var last: UInt16 = 0
        while !reader.isAtEnd {
            // Tags must ascend, so that each record has only one encoding and no field occurs twice.
            guard let tag = reader.integer(UInt16.self), tag > last,
                let value = reader.counted(UInt32.self, limit: Self.maximumFieldBytes)
            else { throw .damaged(.record("field after \(last)")) }
            unread[tag] = value
            last = tag
        }
    }

    /// The record in bytes, when all fields are written.
    var written: [UInt8] { writer.bytes }

    /// Reads a whole record.
    func read<Record: VaultRecord>() throws(CredentialError) -> Record {
        var fields = self
        let record = try Record.coded(nil, &fields)
        try fields.checkAllRead()
        return record
    }

    /// Rejects fields that are unknown in the file's version. Those of a later version are skipped.
    func checkAllRead() throws(CredentialError) {
        guard version.isPartlyKnown || unread.isEmpty else {
            throw .damaged(.record("field \(unread.keys.min() ?? 0)"))
        }
    }

    /// Skips a field that no program has written.
    mutating func skip(_ tag: UInt16) { unread[tag] = nil }

    /// Writes or reads a field that may be absent.
    ///
    /// - Parameters:
    ///   - since: the version that added the field.
    ///   - value: nil if the record is read, or the field is absent.
    ///   - read: returns nil for an invalid value.
    mutating func optional<Value>(
        _ tag: UInt16,
        since: VaultVersion = .oldest,
        _ value: Value?,
        write: (Value) throws(CredentialError) -> [UInt8],
        read: (UnsafeRawBufferPointer) throws(CredentialError) -> Value?
    ) throws(CredentialError) -> Value? {
        if let value {
            writer.append(field: tag, try write(value))
            version = max(version, since)
            return value
        }
        guard version >= since, let bytes = unread.removeValue(forKey: tag) else { return nil }
        guard let value = try read(bytes) else { throw .damaged(.record("field \(tag)")) }
        return value
    }

    /// Writes or reads a field that every record has.
    mutating func value<Value>(
        _ tag: UInt16,
        _ value: Value?,
        write: (Value) throws(CredentialError) -> [UInt8],
        read: (UnsafeRawBufferPointer) throws(CredentialError) -> Value?
    ) throws(CredentialError) -> Value {
        guard let value = try optional(tag, value, write: write, read: read) else {
            throw .damaged(.record("field \(tag) is missing"))
        }
        return value
    }

    /// A text field: UTF-8 of at most 4 KiB.
    mutating func text(_ tag: UInt16, _ value: String?) throws(CredentialError) -> String {
        try self.value(tag, value, write: { Array($0.utf8) }, read: Self.text)
    }

    mutating func optionalText(
        _ tag: UInt16,
        since: VaultVersion = .oldest,
        _ value: String?
    ) throws(CredentialError) -> String? {
        try optional(tag, since: since, value, write: { Array($0.utf8) }, read: Self.text)
    }

    mutating func endpointID(_ tag: UInt16, _ value: EndpointID?) throws(CredentialError) -> EndpointID {
        try self.value(tag, value, write: { Array($0.text.utf8) }, read: { Self.text($0).flatMap { EndpointID($0) } })
    }

    static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        bytes.count <= VaultLimits.stringBytes ? String(validating: bytes, as: UTF8.self) : nil
    }

    mutating func number<Value: FixedWidthInteger>(_ tag: UInt16, _ value: Value?) throws(CredentialError) -> Value {
        let size = MemoryLayout<Value>.size
        return try self.value(
            tag,
            value,
            write: { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } },
            read: { $0.count == size ? Value(littleEndian: $0.loadUnaligned(as: Value.self)) : nil }
        )
    }

    /// Bits of 32. Unknown ones are rejected, unless a later version wrote them.
    mutating func flags(_ tag: UInt16, _ value: UInt32?, known: UInt32) throws(CredentialError) -> UInt32 {
        let flags = try number(tag, value)
        guard flags & ~known == 0 || version.isPartlyKnown else { throw .damaged(.record("field \(tag)")) }
        return flags
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

    /// Appends a section or a field: its number, its length, its value.
    mutating func append(field tag: UInt16, _ value: [UInt8]) {
        append(tag)
        append(UInt32(value.count))
        append(value)
    }
}

extension Int64 {
    /// Adds a count that was read from a file and may have any value. A negative count is ignored, and an overflowing
    /// sum becomes the largest `Int64`.
    mutating func addSaturating(_ count: Int64) {
        let (sum, overflows) = addingReportingOverflow(Swift.max(0, count))
        self = overflows ? .max : sum
    }
}
