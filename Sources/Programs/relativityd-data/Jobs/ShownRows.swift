// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import JSON
import LocalAPI

/// Rows that are printed or exported, with their number on the way.
struct ShownRows: RowConsumer {
    private(set) var writer: any RowConsumer
    private var line: ProgressLine
    private var count = 0
    private var total = 0
    /// Whether the next page belongs to the table that was begun.
    var continuesTable = false

    /// - Parameter fields: of the table in the schema of the service, if they are known.
    /// - Throws: `FormatError`, `DataFailure`.
    init(_ job: DataJob, fields: [SchemaField] = []) throws {
        let isList = job.output.isExpanded && job.output.format == .table
        self.init(isList ? ExpandedRows(job.output) : try job.output.writer(fields: fields), job)
    }

    init(_ writer: any RowConsumer, _ job: DataJob) {
        self.writer = writer
        line = ProgressLine(job.output)
    }

    mutating func begin(_ table: TableHead) async throws {
        guard !continuesTable else { return }
        (count, total) = (0, table.rowCount)
        try await writer.begin(table)
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws {
        try await writer.add(rows, indices)
        count += indices?.count ?? rows.count
    }

    mutating func received(_ progress: ReplyProgress) { line.show(rows: count, of: total, progress) }

    mutating func fail() async { await writer.fail() }

    mutating func finish() async throws { try await finish(evaluated: [:]) }

    /// - Parameters:
    ///   - evaluated: what the server did and what was done here.
    ///   - members: more members of the JSON object.
    mutating func finish(evaluated: JSONObject, members: JSONObject = [:]) async throws {
        line.clear()
        if var object = writer as? JSONRowWriter {
            object.evaluated = .object(evaluated)
            object.members = members
            writer = object
        }
        try await writer.finish()
    }

    /// Removes the line with the progress.
    mutating func clear() { line.clear() }

    /// The number of columns that the terminal is too narrow for.
    var hiddenColumns: Int { (writer as? TextTableWriter)?.hiddenColumns ?? 0 }
}

extension ReadNote {
    /// A sentence for the user, after the name of the server.
    var sentence: String {
        let step =
            switch step {
            case .read: "read at an alternate address"
            case .filter: "rows of \(Printable(table)) are filtered here"
            case .sort: "rows of \(Printable(table)) are sorted here"
            case .select: "fields of \(Printable(table)) are selected here"
            case .limit: "rows of \(Printable(table)) are limited here"
            case .count: "rows of \(Printable(table)) are counted here"
            case .sql: "the statement runs here"
            }
        let reason =
            switch reason {
            case .isLocal: "as --local says"
            case .lacks(let feature): "the server has no \(feature.rawValue)"
            case .refused: "the server refused it"
            case .unsent(let parts):
                "the server may judge differently: "
                    + parts.map { "\(Printable("\($0.predicate)"))" }.joined(separator: ", ")
            case .notInStatement: "the condition is evaluated on the rows"
            case .otherDatabase: "it is not agreed to have the same database"
            case .severalFields(let count): "a server sorts by one field, not \(count)"
            }
        return "\(step): \(reason)"
    }
}

extension ReadPlan {
    /// The division of the query for `--explain`.
    func explanation() throws -> [(name: String, text: String)] {
        var lines: [(String, String)] = []
        if case .dynamic(let selection) = request.selection {
            if !selection.fields.isEmpty { lines.append(("fields sent", selection.fields.joined(separator: ", "))) }
            if let condition = selection.condition { lines.append(("where sent", try DynamicWhere.xml(condition))) }
            if let order = selection.order { lines.append(("order sent", order.text)) }
        }
        if case .sql(let statement) = request.selection { lines.append(("statement sent", statement)) }
        if let rowLimit = request.rowLimit { lines.append(("limit sent", "\(rowLimit)")) }
        if lines.isEmpty { lines.append(("sent", "a request for all rows and fields")) }
        if let residual { lines.append(("evaluated here", "\(residual)")) }
        if !localOrder.isEmpty { lines.append(("sorted here", localOrder.map(\.text).joined(separator: ", "))) }
        if let limit, request.rowLimit == nil { lines.append(("limit here", "\(limit)")) }
        return lines
    }
}

extension FieldOrder {
    /// - Parameter name: of the field. A minus before it sorts in descending order.
    init(parsing name: String) {
        self = name.hasPrefix("-") ? FieldOrder(String(name.dropFirst()), isDescending: true) : FieldOrder(name)
    }

    fileprivate var text: String { (isDescending ? "-" : "") + field }
}
