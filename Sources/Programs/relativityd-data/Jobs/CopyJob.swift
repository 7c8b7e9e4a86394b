// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

extension JobRunner {
    /// Inserts the rows of the first table into the second one.
    ///
    /// - Returns: the exit status.
    func copy() async throws -> Int32 {
        let target = try reader(1)
        let head = try await target.head(of: table(1))
        var rows = ShownRows(TableCopy(to: target.adapter, head, keys: job.keys), job)
        var reader = try reader()
        var stop: DataFailure?
        do {
            let record = try await reader.read(query(table()), into: &rows)
            try await rows.finish()
            await conclude(record.notes, &reader)
        } catch {
            rows.clear()
            stop = DataFailure(error)
        }
        guard let copy = rows.writer as? TableCopy else { return EXIT_FAILURE }
        // Before the first call nothing can have changed.
        if let stop, copy.copied + copy.failed + copy.unknown == 0 { throw stop }
        report(copy, stop)
        return stop?.status.after(changes: copy.copied + copy.unknown).rawValue
            ?? (copy.failed == 0 ? EXIT_SUCCESS : ExitStatus.someFailed.rawValue)
    }

    private func report(_ copy: TableCopy, _ stop: DataFailure?) {
        var object: JSONObject = [
            "tables": [["name": .string(job.tables[1]), "rows": .integer(Int64(copy.copied))]],
            "failed": .integer(Int64(copy.failed)), "unknown": .integer(Int64(copy.unknown)),
        ]
        object["stop"] = stop.map { .string($0.message) }
        let failures = copy.failed == 0 ? "" : ", \(Counted(copy.failed, "row")) refused"
        let unknown = copy.unknown == 0 ? "" : ", \(Counted(copy.unknown, "row")) of unknown outcome"
        text.tell(object, else: "\(Counted(copy.copied, "row")) copied\(failures)\(unknown)")
        for refusal in copy.refusals {
            text.error("\(Printable(job.tables[1])) \(refusal.key): \(Printable(refusal.message))")
        }
        let more = copy.failed - copy.refusals.count
        if more > 0 { text.error("\(Counted(more, "more row")) refused") }
        if let stop { text.error("the copy ended early: \(stop.message)") }
    }
}

/// Sends rows to a table as inserts, in batches, each in one call.
struct TableCopy: RowConsumer {
    private static let batchRows = 500
    /// Bytes after which a batch is sent. An adapter takes requests of 16 MiB.
    private static let batchBytes = 4 << 20
    /// The number of rows that the server refused of which the message is kept.
    private static let mostRefusals = 10

    private(set) var copied = 0
    private(set) var failed = 0
    /// The rows of a call that got no reply.
    private(set) var unknown = 0
    /// The keys of the first rows that the server refused, escaped, and its words, untrusted.
    private(set) var refusals: [(key: String, message: String)] = []

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
        let own = FieldNames(head.name, head.columns)
        let found = try table.columns.map { try own.index(of: $0.name) }
        let places = found.compactMap { $0 }
        guard places.count == found.count else {
            let missing = zip(table.columns, found).filter { $1 == nil }.map { "\(Printable($0.0.name))" }
            throw DataFailure(.usage, "the second table has no field \(missing.joined(separator: ", "))")
        }
        // Two columns of one name would be two values of one field.
        guard Set(places).count == places.count else { throw ReadError.changedColumns(table: table.name) }
        sources = places.indices.sorted { places[$0] < places[$1] }
        let fields = sources.map { head.columns[places[$0]] }
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

    /// The key of a row of the delta, escaped.
    private func key(of index: Int) -> String {
        guard delta.changes.indices.contains(index) else { return "" }
        let values = delta.changes[index].new
        let key = zip(delta.fields, values).filter { field, _ in keys.contains { NameMatch.isSimilar($0, field.name) } }
        return key.map { "\(Printable($0.name))=\(Printable($1.text(as: $0.type) ?? "NULL"))" }.joined(separator: ",")
    }

    private mutating func send() async throws {
        guard !delta.changes.isEmpty else { return }
        let reply: DeltaStream
        do throws(ApplyFailure) {
            reply = try await AdapterChangeServer(target).update(DeltaStream([delta]))
        } catch {
            if case .unknownOutcome = error { unknown = delta.changes.count }
            throw error
        }
        received(reply)
    }

    /// Counts the rows that were sent by the server's answers.
    mutating func received(_ reply: DeltaStream) {
        let count = delta.changes.count
        let refused = reply.deltas.flatMap(\.changes).filter { $0.status != .resolved }.prefix(count)
        failed += refused.count
        copied += count - refused.count
        for change in refused.prefix(Self.mostRefusals - refusals.count) {
            let message = change.status == .failed ? change.message : "not processed"
            refusals.append((key(of: Int(change.recordID) - 1), message))
        }
        delta = Delta(name: delta.name, fields: delta.fields, keys: delta.keys)
    }
}
