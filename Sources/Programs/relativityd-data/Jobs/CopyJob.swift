// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import DataJobs
import Endpoints
import Glibc
import JSON

extension JobRunner {
    /// Inserts the rows of the first table into the second one.
    ///
    /// - Returns: the exit status.
    func copy() async throws -> Int32 {
        let target = try reader(1)
        let head = try await target.head(of: job.tables[1])
        var rows = ShownRows(TableCopy(to: target.adapter, head, keys: job.keys), job)
        var reader = try reader()
        let record = try await reader.read(query(job.tables[0]), into: &rows)
        try await rows.finish()
        guard let copy = rows.writer as? TableCopy else { return EXIT_FAILURE }
        await conclude(record.notes, &reader)
        for message in copy.messages { Main.writeError("relctl: \(Printable(message))\n") }
        if text.isDocument {
            text.write([
                "tables": [["name": .string(job.tables[1]), "rows": .integer(Int64(copy.copied))]],
                "failed": .integer(Int64(copy.failed)),
            ])
        } else {
            let failures = copy.failed == 0 ? "" : ", \(Counted(copy.failed, "row")) refused"
            text.write(line: "\(Counted(copy.copied, "row")) copied\(failures)")
        }
        return copy.failed == 0 ? EXIT_SUCCESS : JobFailure.Status.someFailed.rawValue
    }
}

/// Sends rows to a table as inserts, in batches, each in one call.
struct TableCopy: RowConsumer {
    private static let batchRows = 500
    /// Bytes after which a batch is sent. An adapter takes requests of 16 MiB.
    private static let batchBytes = 4 << 20
    /// The number of messages that are kept of rows that the server refused.
    private static let mostMessages = 10

    private(set) var copied = 0
    private(set) var failed = 0
    /// The words of the server, untrusted.
    private(set) var messages: [String] = []

    private let target: RemoteDataAdapter
    private let head: TableHead
    private let keys: [String]
    private var delta: Delta
    /// For each field of the delta, the column of the rows.
    private var sources: [Int] = []

    /// - Parameter keys: the fields that identify a row; empty for the key of the schema.
    init(to target: RemoteDataAdapter, _ head: TableHead, keys: [String]) {
        self.target = target
        self.head = head
        let known = head.schema?.fields.filter(\.isInPrimaryKey).compactMap(\.name) ?? []
        self.keys = keys.isEmpty ? known : keys
        delta = Delta(name: head.name, fields: [], keys: [])
    }

    mutating func begin(_ table: TableHead) throws {
        let names = table.columns.map { $0.name.lowercased() }
        var fields: [DataColumn] = []
        sources = []
        for column in head.columns {
            guard let index = names.firstIndex(of: column.name.lowercased()) else { continue }
            fields.append(column)
            sources.append(index)
        }
        guard fields.count == names.count else {
            let own = Set(head.columns.map { $0.name.lowercased() })
            let missing = table.columns.filter { !own.contains($0.name.lowercased()) }.map { "\(Printable($0.name))" }
            throw JobFailure(.usage, "the second table has no field \(missing.joined(separator: ", "))")
        }
        delta = Delta(name: head.name, fields: fields, keys: keys)
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws {
        for index in indices ?? Array(rows.indices) {
            // Access to a single cell of a row skips all cells before it.
            let row = Array(rows[index])
            let values = sources.map { row[$0] }
            try delta.append(.insert, recordID: Int32(delta.changes.count + 1), old: values, new: values)
            if delta.changes.count == Self.batchRows || delta.byteCount >= Self.batchBytes { try await send() }
        }
    }

    mutating func finish() async throws { try await send() }

    private mutating func send() async throws {
        let count = delta.changes.count
        guard count > 0 else { return }
        let reply = try await target.update(DeltaStream([delta]))
        let refused = reply.deltas.flatMap(\.changes).filter { $0.status == .failed }.prefix(count)
        failed += refused.count
        copied += count - refused.count
        messages += refused.prefix(Self.mostMessages - messages.count).map(\.message)
        delta = Delta(name: delta.name, fields: delta.fields, keys: delta.keys)
    }
}
