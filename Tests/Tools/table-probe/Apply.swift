// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Locks

/// Measures applies of many changes through an adapter.
enum Apply {
    enum Kind: String {
        case updates, inserts
    }

    /// A server that measures its UpdateData.
    private final class TimedServer: ChangeServer {
        let server: AdapterChangeServer
        let times = Lock<[Int]>([])

        init(_ server: AdapterChangeServer) {
            self.server = server
        }

        func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading { try await server.read(request) }

        func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
            let start = Probe.nanoseconds()
            let reply = try await server.update(deltas)
            times.withLock { $0.append(Probe.nanoseconds() - start) }
            return reply
        }
    }

    /// Changes all fields of as many rows of a table with the key `Id`, or adds as many, and applies. Prints a line of
    /// JSON for the call, and one for the whole apply with the comparison of the old values.
    static func run(_ kind: Kind, socket: String, service: String, table: String, count: Int) async throws {
        let adapter = try RemoteDataAdapter(socketPath: socket, service: service)
        let server = TimedServer(AdapterChangeServer(adapter))
        let rows = try await adapter.table(TableRequest(table, rowLimit: Int32(count)))
        var set = try ChangeSet([EditableTable(rows)])
        let made = Probe.nanoseconds()
        try set.edit(table) { rows throws(EditError) in
            for id in Array(rows.rowIDs) {
                guard let row = rows.row(id) else { continue }
                var values = Dictionary(zip(rows.fields.map(\.name), row.values)) { first, _ in first }
                values["Id"] = nil
                switch kind {
                case .updates: try rows.set(values.mapValues(changed), of: id)
                case .inserts: try rows.append(values)
                }
            }
        }
        let start = Probe.nanoseconds()
        let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&set)
        let whole = Probe.nanoseconds() - start
        guard report.failure == nil, report.accepted.count == count else { throw Failure(report: report) }
        let call = server.times.withLock { $0.reduce(0, +) }
        print("{\"name\": \"call of \(kind)\", \"p50\": \(call)}")
        print("{\"name\": \"apply of \(kind)\", \"p50\": \(whole)}")
        print("{\"name\": \"edit of \(kind)\", \"p50\": \(start - made)}")
        await adapter.close()
    }

    private static func changed(_ value: DataValue) -> DataValue {
        switch value {
        case .integer(let number): .integer(number + 1)
        case .float(let number): .float(number + 1)
        case .boolean(let flag): .boolean(!flag)
        case .text(let text): .text(text.hasSuffix("+") ? String(text.dropLast()) : text + "+")
        case .null: .null
        default: value
        }
    }

    private struct Failure: Error {
        let report: ApplyReport
    }
}
