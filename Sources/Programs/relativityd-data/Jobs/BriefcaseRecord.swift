// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc
import JSON
import LocalAPI

/// The facts about a briefcase that are shown.
struct BriefcaseRecord {
    private static let timeFormat = "%Y-%m-%dT%H:%M:%SZ"
    /// Days from the first day of the vendor's dates.
    private static let daysTo1970 = 25_569.0

    let version: String?
    let tables: [DataAPI.KeptTable]
    private let form: BriefcaseFile.Form?
    private let properties: [String: String]

    init(_ briefcase: Briefcase, _ form: BriefcaseFile.Form?) {
        version = briefcase.version
        properties = briefcase.properties
        self.form = form
        tables = briefcase.tables.map { table in
            let pending = briefcase.changes?.table(table.name)?.changedRows.count ?? 0
            return DataAPI.KeptTable(name: table.name, rows: Int64(table.rows.count), pending: Int64(pending))
        }
    }

    /// The numbers of tables, rows and pending changes.
    var counts: [String] {
        let rows = tables.reduce(0) { $0 + $1.rows }
        let pending = tables.reduce(0) { $0 + $1.pending }
        return ["\(tables.count)", "\(rows)", "\(pending)"]
    }

    /// The present time, in UTC.
    static var now: String {
        var (seconds, parts) = (time(nil), tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, timeFormat, &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The time of the download; nil if it is not known.
    var saved: String? { properties[Briefcase.savedKey] }

    /// Seconds since the download; nil if the time is not known.
    var ageSeconds: Int? {
        guard let saved, saved.hasSuffix("Z"),
            case .dateTime(let days) = DataValue(String(saved.dropLast()), as: .dateTime), abs(days) < 1e7
        else { return nil }
        return max(0, time(nil) - Int((days - Self.daysTo1970) * 86_400 + 0.5))
    }

    /// The time since the download, in its greatest unit.
    var age: String? {
        ageSeconds.map { seconds in
            let units = [("d", 86_400), ("h", 3_600), ("min", 60)]
            let unit = units.first { seconds >= $0.1 } ?? ("s", 1)
            return "\(seconds / unit.1) \(unit.0)"
        }
    }

    var json: JSONObject {
        var object: JSONObject = [:]
        object["form"] = form.map { $0 == .file ? "file" : "folder" }
        object["version"] = version.map { .string($0) }
        object["ageSeconds"] = ageSeconds.map { .integer(Int64($0)) }
        object["properties"] = .object(
            JSONObject(properties.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        )
        object["tables"] = tables.jsonValue
        return object
    }
}

extension Briefcase {
    /// Passes the rows that a query selects, with the pending changes. The consumer is not finished.
    ///
    /// - Throws: those of `view`, and of the consumer.
    func read(_ stored: DataTable, _ query: TableQuery, into rows: inout some RowConsumer) async throws {
        var view = try view(of: stored, query)
        try view.sort(by: query.order)
        let count = min(view.count, query.limit ?? .max)
        try await rows.begin(
            TableHead(name: stored.name, columns: stored.columns, rowCount: count, schema: stored.schema)
        )
        try await view.forEachBatch(first: count) { try await rows.add($0, nil) }
    }

    /// The rows of a table that satisfy the predicate of a query, with the pending changes.
    ///
    /// - Throws: those of `editableTable`; `PredicateError`.
    func view(of stored: DataTable, _ query: TableQuery) throws -> TableViewModel {
        var view = TableViewModel(try editableTable(stored), isReadOnly: true)
        if let predicate = query.predicate { try view.filter(by: predicate) }
        return view
    }

    /// Merges the rows of a table with its changes. Without changes no index of the keys is made.
    ///
    /// - Throws: `EditError`, `missingTable` of `ReadError`.
    private func editableTable(_ stored: DataTable) throws -> EditableTable {
        guard let changes, changes.table(stored.name) != nil else {
            let fields = stored.columns.map { EditableField($0, nil) }
            return try EditableTable(name: stored.name, fields: fields, rows: [stored.rows])
        }
        var part = Briefcase()
        part.put(stored)
        part.changes = changes
        guard let table = try part.changeSet().changes.table(stored.name) else {
            throw ReadError.missingTable(stored.name)
        }
        return table
    }
}
