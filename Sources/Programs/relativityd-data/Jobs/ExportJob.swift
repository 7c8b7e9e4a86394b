// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

extension JobRunner {
    /// Writes tables into an SQLite file, or writes such a file to standard output.
    func export() async throws {
        let isStream = job.output.path == "-"
        let file = try SQLiteExport(
            to: isStream ? try reader().temporaryDirectory : job.output.path ?? "",
            isStream ? .unnamed : exportKind,
            FormatOptions(),
            blobFolder: job.output.blobDirectory,
            tables: job.tables
        )
        // With --resume the rows of this run are a part of those in the file.
        var counts: [(table: String, rows: Int, total: Int?)] = []
        if let rows = try await exportTogether(to: file) {
            counts = zip(job.tables, rows).map { ($0, $1, nil) }
        } else {
            for table in job.tables {
                let rows = try await export(table, to: file)
                counts.append((table, rows, job.output.isResumed ? try file.progress(of: table)?.rowCount : nil))
            }
        }
        try file.finish()
        try noteCodePage()
        guard !isStream else { return try file.write(to: STDOUT_FILENO) }
        guard !text.isDocument else {
            let tables = counts.map { count -> JSONValue in
                var object: JSONObject = ["name": .string(count.table), "rows": .integer(Int64(count.rows))]
                object["total"] = count.total.map { .integer(Int64($0)) }
                return .object(object)
            }
            return text.write(JSONObject([("tables", .array(tables))] + Array(members())))
        }
        guard !job.output.isQuiet else { return }
        let isResumed = job.output.isResumed
        text.write(
            ["TABLE", "ROWS"] + (isResumed ? ["TOTAL"] : []),
            counts.map { [$0.table, "\($0.rows)"] + (isResumed ? ["\($0.total ?? 0)"] : []) }
        )
    }

    private var exportKind: SQLiteExport.Kind {
        if job.output.sinceField != nil { return .update }
        return job.output.pageRows == nil
            ? .new(replacesExisting: true) : .resumable(replacesExisting: true, continues: job.output.isResumed)
    }

    /// Reads several tables in one call, so that their rows are from one moment.
    ///
    /// - Returns: the number of rows of each table; nil if the tables must be read one after the other, because there is
    ///   a condition or a file of views, or because the server refuses. Their sum may be too large for one reply.
    private func exportTogether(to file: SQLiteExport) async throws -> [Int]? {
        guard job.tables.count > 1, job.output.pageRows == nil, job.output.sinceField == nil else { return nil }
        guard try query(job.tables[0]) == TableQuery(job.tables[0]), job.rows.views == nil else { return nil }
        var rows = ShownRows(file, job)
        defer { rows.clear() }
        do {
            return try await reader().read(whole: job.tables, into: &rows)
        } catch let error as DataAdapterError where error.isRefusal {
            return nil
        }
    }

    /// - Returns: the number of rows that were added in this run.
    private func export(_ table: String, to file: SQLiteExport) async throws -> Int {
        var reader = try reader()
        var query = try query(table)
        if let name = job.output.sinceField { try await addChanges(name, &query, file, reader) }
        let extra = try await extraFields(query, reader)
        if let extra { query = extra.query }
        var rows = extra.map { ShownRows(ExtraFieldRows(file, $0), job) } ?? ShownRows(file, job)
        defer { rows.clear() }
        guard let page = job.output.pageRows.map({ Int($0) }) else {
            let record = try await reader.read(query, into: &rows)
            await conclude(record.notes, &reader)
            return record.rowsKept
        }
        return try await exportPages(of: page, query, to: file, &rows, &reader)
    }

    private func exportPages(
        of size: Int,
        _ query: TableQuery,
        to file: SQLiteExport,
        _ rows: inout ShownRows,
        _ reader: inout TableReader
    ) async throws -> Int {
        let progress = try file.progress(of: query.table)
        if progress?.isDone == true { return 0 }
        var page = try await reader.page(of: query, rows: size)
        guard query.fields.isEmpty || query.fields.contains(where: { NameMatch.isSimilar($0, page.key.name) })
        else {
            throw DataFailure(.usage, "--select has no \(Printable(page.key.name)), by which the pages are read")
        }
        page.after = try progress?.lastKey.first.map { try Self.value($0, page.key) }
        var count = 0
        while true {
            let end = try await reader.readPage(page, into: &rows)
            if !rows.continuesTable { await conclude(end.record.notes, &reader) }
            count += end.record.rowsKept
            try file.endPage()
            guard !end.isLast else { return count }
            rows.continuesTable = true
            page.after = end.lastKey
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
        let index = try FieldNames(query.table, columns).required(name)
        switch try file.greatestValue(of: columns[index].name, in: query.table) {
        case .integer(let value): try add(columns[index], "\(value)", &query)
        case .float(let value): try add(columns[index], "\(value)", &query)
        case .text(let value): try add(columns[index], value, &query)
        default: break
        }
    }
}
