// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import JSON
import LocalAPI

/// Reading of tables: those of the server, or those that are kept.
extension JobRunner {
    /// Reads the tables of a job. If the job says so, reads the kept ones, always or if the server cannot be reached.
    func readTables() async throws {
        guard job.kept.use != .always else { return try await readKept(nil) }
        var reason = job.kept.failure
        do {
            if reason == nil { return try await readOnline() }
        } catch DataAdapterError.exception(let exception)
            where exception.isServerUnreachable && job.kept.use == .fallback
        {
            // No row was printed, because the exception is the reply to the first call.
            guard try canFallBack() else { throw DataAdapterError.exception(exception) }
            reason = exception.message
        }
        // relctl reports the failure that it has found.
        guard try job.kept.failure == nil || canFallBack() else { throw DataFailure(.unreachable, "") }
        try await readKept(reason)
    }

    private func readOnline() async throws {
        switch job.verb {
        case .list: try await list()
        case .count: try await count()
        default: try await get()
        }
    }

    /// Whether all tables of the job are kept, and can be read as the job says.
    private func canFallBack() throws -> Bool {
        guard serverOption == nil, let set = try keptSet(), let briefcase = try? Briefcase.load(set.path) else {
            return false
        }
        return job.tables.allSatisfy { briefcase.table($0) != nil }
    }

    /// An option that only a server can follow; nil if the job has none.
    private var serverOption: String? {
        let rows = job.rows
        let options = [
            ("--where-xml", rows.whereXML != nil), ("--after", rows.after != nil), ("--by-key", rows.isByKey),
            ("--lookup", !rows.lookups.isEmpty), ("--calc", !rows.calculated.isEmpty), ("--views", rows.views != nil),
            ("--param", !rows.parameters.isEmpty), ("--trust-server", rows.trustsServer),
            ("--server-only", rows.isServerOnly), ("--explain", rows.isExplained),
            ("--format bin2", job.output.format == .bin2),
        ]
        return options.first(where: \.1)?.0
    }

    /// - Parameter reason: why the server cannot be reached; nil if the user wants kept tables.
    private func readKept(_ reason: String?) async throws {
        if let option = serverOption {
            throw DataFailure(.usage, "\(option) cannot be used with kept tables")
        }
        let runner = try keptRunner()
        let briefcase: Briefcase
        do {
            briefcase = try runner.existing()
        } catch let error as BriefcaseError {
            throw runner.failure(error)
        }
        let names = job.verb == .list ? briefcase.tables.map(\.name) : job.tables
        let tables = try names.map { try runner.table($0, of: briefcase) }
        let record = BriefcaseRecord(briefcase, .folder)
        let pending = tables.reduce(0) { $0 + (briefcase.changes?.table($1.name)?.changedRows.count ?? 0) }
        let changes = pending == 0 ? "" : ", with \(Counted(pending, "pending change"))"
        let age = record.age.map { "\($0) old, from \(Printable(record.saved ?? ""))" } ?? "of unknown age"
        let sentence = "the kept tables are \(age)\(changes)"
        if let reason { text.warn("\(Printable(again: reason)): \(sentence)") } else { text.note(sentence) }
        var members: JSONObject = ["offline": true]
        members["saved"] = record.saved.map { .string($0) }
        switch job.verb {
        case .list: try runner.list(tables, members)
        case .count: try runner.count(tables, in: briefcase, members)
        default: try await runner.showRows(of: table(), in: briefcase, members)
        }
    }

    private func count(_ tables: [DataTable], in briefcase: Briefcase, _ members: JSONObject) throws {
        let counts = try tables.map { table in
            CountedTable(
                name: table.name,
                rows: try briefcase.view(of: table, try query(table.name)).count,
                evaluated: DataAPI.Evaluated(server: [], here: [ReadStep.count.rawValue])
            )
        }
        try show(counts, members)
    }

    private func list(_ tables: [DataTable], _ members: JSONObject) throws {
        show(
            try tables.map { table in
                let fields = try EditableTable(table, schema: nil).fields
                return ListedTable(
                    name: table.name,
                    fields: fields.count,
                    key: fields.filter(\.isInPrimaryKey).map(\.name)
                )
            },
            members
        )
    }
}
