// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The changes of one table: what UpdateData takes, and answers with a status for each change.
public struct Delta: Sendable {
    /// The table's.
    public var name: String
    /// Those whose values the changes hold. A stream keeps them only if there is a change.
    public let fields: [DataColumn]
    /// The names of the fields by whose old values the server finds a row.
    public let keys: [String]
    /// Said by a client that may have left out what did not change. The vendor's writes all values nevertheless, and how a
    /// delta without them looks is not known.
    public let isReduced: Bool
    public private(set) var changes: DeltaChanges

    /// A delta without changes.
    public init(name: String, fields: [DataColumn], keys: [String], isReduced: Bool = false) {
        self.name = name
        self.fields = fields
        self.keys = keys
        self.isReduced = isReduced
        changes = DeltaChanges(fields)
    }

    /// - Parameters:
    ///   - recordID: whatever tells the rows of the table apart.
    ///   - old: one value for each field, and so for `new`.
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    public mutating func append(
        _ kind: DeltaChange.Kind,
        recordID: Int32,
        old: [DataValue],
        new: [DataValue],
        status: DeltaChange.Status = .pending,
        message: String = ""
    ) throws(TableError) {
        try changes.append(kind, recordID: recordID, old: old, new: new, status: status, message: message, fields)
    }

    init(named name: String, from reader: inout StreamReader) throws(TableError) {
        self.name = name
        // A change takes 16 bytes, and a mask of each row.
        let count = try reader.readCount("changes", limit: reader.limits.rows, bytesEach: 16)
        guard count > 0 else {
            (fields, keys, isReduced, changes) = ([], [], false, DeltaChanges([]))
            return
        }
        try reader.chargeRows(count)
        let fieldCount = try reader.readItemCount("fields", limit: reader.limits.columns, bytesEach: 5)
        var fields: [DataColumn] = []
        for _ in 0..<fieldCount {
            let name = try reader.readText()
            fields.append(DataColumn(name, DataType(rawValue: try reader.readByte()) ?? .unknown))
        }
        let keyCount = try reader.readItemCount("keys", limit: reader.limits.columns, bytesEach: 4)
        var keys: [String] = []
        for _ in 0..<keyCount { keys.append(try reader.readText()) }
        isReduced = try reader.readByte() != 0
        guard try reader.readInt32() == Int32(count) else { throw reader.failure("two numbers of changes") }
        self.fields = fields
        self.keys = keys
        changes = try DeltaChanges(fields, from: &reader, count: count)
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeCount(changes.count)
        guard !changes.isEmpty else { return }
        buffer.writeCount(fields.count)
        for field in fields {
            buffer.writeCounted(field.name)
            buffer.writeInteger(field.type.rawValue)
        }
        buffer.writeCount(keys.count)
        for key in keys { buffer.writeCounted(key) }
        buffer.writeInteger(isReduced ? 1 : 0, as: UInt8.self)
        buffer.writeCount(changes.count)
        buffer.writeImmutableBuffer(changes.bytes)
    }
}
