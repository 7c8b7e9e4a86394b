// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// The server of an adapter, for an apply.
public struct AdapterChangeServer: ChangeServer {
    /// Rows that are asked for in one call.
    private static let batch = 100
    /// Rows with a whole number as key, which are asked for in one call by a list. Some databases take at most 1,000
    /// values in a list.
    private static let numberBatch = 500

    private let adapter: RemoteDataAdapter
    private let capabilities: WhereCapabilities
    private let mostBytes: Int

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - capabilities: the conditions that the server takes. If a condition cannot be sent, the complete table is read,
    ///     in constant memory.
    ///   - mostBytes: the maximum bytes of the rows of one `read`. More are `unreadable`.
    public init(
        _ adapter: RemoteDataAdapter,
        capabilities: WhereCapabilities = .where,
        mostBytes: Int = AdapterChangeServer.standardBytes
    ) {
        self.adapter = adapter
        self.capabilities = capabilities
        self.mostBytes = mostBytes
    }

    /// 512 MiB.
    public static let standardBytes = 512 << 20

    public func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading {
        do {
            return try await rows(request)
        } catch is CancellationError {
            throw .notSent(Self.interruption)
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Reads rows.
    ///
    /// - Throws: `DataAdapterError`, `PredicateError`, `TableError`.
    package func rows(_ request: RowRequest) async throws -> RowReading {
        var columns: [DataColumn] = []
        var rows: [DataRows] = []
        var rest = request.values[...]
        let isNumber = request.fields.count == 1 && request.fields[0].type.wholeNumbers != nil
        let batch = isNumber ? Self.numberBatch : Self.batch
        var bytesLeft = mostBytes
        while true {
            let part = Array(rest.prefix(batch))
            let condition = try condition(request.fields, part)
            // Without a condition one call reads all rows.
            let values = condition == nil ? Array(rest) : part
            rest = rest.dropFirst(values.count)
            let found = try await read(request.table, condition, request.fields, values, bytesLeft)
            bytesLeft -= found.rows.bytes.readableBytes
            columns = found.columns
            rows.append(found.rows)
            guard !rest.isEmpty else { return RowReading(columns: columns, rows: rows) }
        }
    }

    /// Why a call of a cancelled task has failed.
    package static let interruption = "the call was interrupted"

    public func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
        guard !Task.isCancelled else { throw .notSent(Self.interruption) }
        do {
            return try await adapter.update(deltas)
        } catch DataAdapterError.exception(let exception) where exception.isRefusalOfDaemon && exception.status == 413 {
            let tables = deltas.deltas.filter { !$0.changes.isEmpty }
            let isOne = tables.count == 1 && tables[0].changes.count == 1
            let advice =
                isOne
                ? "a row of \(tables[0].name) is too large"
                : "make fewer changes at a time, as with a narrower condition"
            throw .notSent("\(exception.message): \(advice)")
        } catch {
            throw Self.failure(error)
        }
    }

    /// Judges whether the server can have applied a call that failed.
    package static func failure(_ error: any Error) -> ApplyFailure {
        let text = "\(error)"
        switch error {
        case is CancellationError: return .unknownOutcome(interruption)
        // Only the encoder throws it.
        case TableError.tooLong: return .tooLong
        case DataAdapterError.unreachable, DataAdapterError.overloaded: return .notSent(text)
        case DataAdapterError.exception(let exception):
            guard exception.isFromDaemon else { return .refused("\(exception.className): \(exception.message)") }
            // With another status the connection may have broken after the request was sent.
            let isSent = !exception.isRefusalOfDaemon && exception.failure != .notSent
            return isSent ? .unknownOutcome(exception.message) : .notSent(exception.message)
        default: return .unknownOutcome(text)
        }
    }

    /// Reads a table and keeps the rows that were asked for, also those that only the server regards as such because it
    /// ignores case.
    private func read(
        _ name: String,
        _ condition: WhereExpression?,
        _ fields: [DataColumn],
        _ values: [[DataValue]],
        _ bytesLeft: Int
    ) async throws -> DataTable {
        let types = fields.map(\.type)
        let wanted = Set(values.map { row in RowKey(values: zip(row, types).map { ComparableValue($0, $1) }) })
        let selection: TableRequest.Selection = condition.map { .dynamic(DynamicSelection(condition: $0)) } ?? .all()
        // Without a condition the server has compared nothing.
        let alike = condition == nil ? [] : Set(wanted.map(\.ignoringCase))
        var table: DataTable?
        var places: [Int] = []
        for try await event in try await adapter.data([TableRequest(name, selection)]) {
            switch event {
            case .table(let head):
                let columns = head.columns
                places = try fields.map { try columns.resolve($0.name).column }
                table = try DataTable(name: name, columns: head.columns)
            case .rows(let rows):
                for row in rows {
                    let key = RowKey(values: zip(places, types).map { ComparableValue(row[$0], $1) })
                    guard wanted.contains(key) || alike.contains(key.ignoringCase) else { continue }
                    try table?.append(Array(row))
                    guard table?.rows.bytes.readableBytes ?? 0 <= bytesLeft else {
                        throw RowsTooLarge(table: name, limit: mostBytes)
                    }
                }
            }
        }
        guard let table else { throw DataAdapterError.malformed(reason: "a reply without a table") }
        return table
    }

    /// Returns a condition that holds for all rows with these values, and perhaps for more; nil if none can be sent.
    private func condition(_ fields: [DataColumn], _ values: [[DataValue]]) throws -> WhereExpression? {
        let predicate: Expression
        if fields.count == 1 {
            let literals = values.map { PredicateValue($0[0]) }
            guard !literals.contains(nil) else { return nil }
            predicate = .isIn(fields[0].name, literals.compactMap { $0 })
        } else {
            predicate = .or(
                values.map { row in
                    .and(
                        zip(fields, row).map { field, value in
                            if value.isNull { return .isNull(field.name) }
                            guard let literal = PredicateValue(value) else { return .constant(true) }
                            return .comparison(field.name, .equal, .value(literal))
                        }
                    )
                }
            )
        }
        return try PredicatePlan(predicate, fields: fields, capabilities: capabilities).sent
    }
}

private struct RowsTooLarge: Error, CustomStringConvertible {
    let table: String
    let limit: Int

    var description: String { "the rows of table \(table.debugDescription) have more than \(limit) bytes" }
}
