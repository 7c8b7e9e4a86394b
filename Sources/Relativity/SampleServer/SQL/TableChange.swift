// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Remoting

/// The name of a table with its schema, in lower case, so that equal names are equal.
struct TableName: Hashable, Sendable {
    private let parts: [String]

    init(_ table: String, schema: String, domain: String) {
        parts = [domain.lowercased(), schema.lowercased(), table.lowercased()]
    }
}

/// The changes of a table that registered sessions are notified of.
struct TableChange: Sendable {
    /// The maximum number of bytes of the changes in an event. A client with a larger one reads the table again.
    private static let largestDelta = 256 << 10

    let name: TableName
    let event: EventMessage

    /// - Returns: nil if no change of the delta was made.
    /// - Throws: `TableError`.
    init?(resolvedPartOf delta: Delta, schema: String, domain: String) throws(TableError) {
        var made = delta
        let resolved = delta.changes.indices.filter { delta.changes.status(at: $0) == .resolved }
        if resolved.count < delta.changes.count {
            made = Delta(name: delta.name, fields: delta.fields, keys: delta.keys)
            made.reserveCapacity(resolved.count, byteCount: delta.byteCount)
            for index in resolved {
                try made.append(index, of: delta, status: .resolved)
            }
        }
        guard !made.changes.isEmpty else { return nil }
        let known = DeltaStream(made.byteCount <= Self.largestDelta ? [made] : [])
        self.init(of: delta.name, try known.encoded(), schema: schema, domain: domain)
    }

    /// A change of rows that are not known: its event has no delta.
    ///
    /// - Throws: `TableError`.
    init(of table: String, schema: String, domain: String) throws(TableError) {
        self.init(of: table, try DeltaStream().encoded(), schema: schema, domain: domain)
    }

    private init(of table: String, _ delta: ByteBuffer, schema: String, domain: String) {
        name = TableName(table, schema: schema, domain: domain)
        event = EventMessage(
            sink: "DataChangeNotification",
            name: "OnDataTableChanged",
            [
                NamedValue("aTableName", .utf8String(table)),
                NamedValue("aDelta", .binary(delta)),
            ]
        )
    }
}
