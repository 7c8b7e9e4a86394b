// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import DataJobs
import Endpoints
import Glibc
import JSON

extension JobRunner {
    /// Writes tables into an SQLite file.
    func export() async throws {
        var options = FormatOptions()
        options.codePage = try job.codePage.map(JobOutput.page) ?? .latin1
        let path = job.output.path ?? ""
        // The pages of an earlier export stay only if this one continues it.
        if job.output.pageRows != nil, !job.output.isResumed { unlink("\(path).part") }
        let file = try SQLiteExport(to: path, exportKind, options, blobFolder: job.output.blobDirectory)
        var counts: [(table: String, rows: Int)] = []
        for table in job.tables { counts.append((table, try await export(table, to: file))) }
        try file.finish()
        guard !text.isDocument else {
            let tables = counts.map { count -> JSONValue in
                ["name": .string(count.table), "rows": .integer(Int64(count.rows))]
            }
            return text.write(["tables": .array(tables)])
        }
        if !job.output.isQuiet { text.write(["TABLE", "ROWS"], counts.map { [$0.table, "\($0.rows)"] }) }
    }

    private var exportKind: SQLiteExport.Kind {
        if job.output.sinceField != nil { return .update }
        return job.output.pageRows == nil ? .new(replacesExisting: true) : .resumable(replacesExisting: true)
    }

    /// - Returns: the number of rows that were added in this run.
    private func export(_ table: String, to file: SQLiteExport) async throws -> Int {
        let reader = try reader()
        var query = try query(table)
        if let name = job.output.sinceField { try await addChanges(name, &query, file, reader) }
        var rows = ShownRows(file, job)
        defer { rows.clear() }
        guard let page = job.output.pageRows.map({ Int($0) }) else {
            let record = try await reader.read(query, into: &rows)
            tell(record.notes)
            return record.rowsKept
        }
        return try await exportPages(of: page, query, to: file, &rows, reader)
    }

    private func exportPages(
        of size: Int,
        _ query: TableQuery,
        to file: SQLiteExport,
        _ rows: inout ShownRows,
        _ reader: TableReader
    ) async throws -> Int {
        let key = try await key(of: query.table, reader)
        var progress = try file.progress(of: query.table)
        if progress?.isDone == true { return 0 }
        var count = 0
        while true {
            var next = query
            next.limit = size
            next.order = [FieldOrder(key.name)]
            if let last = progress?.lastKey.first { try add(key, last, &next) }
            let record = try await reader.read(next, into: &rows)
            if count == 0 { tell(record.notes) }
            count += record.rowsKept
            try file.endPage()
            guard record.rowsKept == size else { return count }
            rows.continuesTable = true
            progress = try file.progress(of: query.table)
        }
    }

    /// Restricts a query to the rows in which a field is greater than in the file.
    private func addChanges(
        _ name: String,
        _ query: inout TableQuery,
        _ file: SQLiteExport,
        _ reader: TableReader
    ) async throws {
        let columns = try await reader.head(of: query.table).columns
        guard let index = try FieldNames(query.table, columns).index(of: name) else {
            throw ReadError.unknownField(table: query.table, field: name)
        }
        switch try file.greatestValue(of: columns[index].name, in: query.table) {
        case .integer(let value): try add(columns[index], "\(value)", &query)
        case .float(let value): try add(columns[index], "\(value)", &query)
        case .text(let value): try add(columns[index], value, &query)
        default: break
        }
    }
}
