// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import NIOCore

extension JobOutput {
    /// A writer for rows in the format of the job.
    ///
    /// - Throws: `FormatError`, `DataFailure`.
    /// - Parameter fields: of the table in the schema of the service, if they are known.
    func writer(
        to sink: OutputSink? = nil,
        columns: [String]? = nil,
        fields: [SchemaField] = []
    ) throws -> any RowConsumer {
        let sink = sink ?? OutputSink(STDOUT_FILENO)
        var options = options
        options.columns = columns
        options.decimals = ArrowDecimals(try decimalRule(), fields: fields)
        return switch format {
        case .table: TextTableWriter(sink, rules, options)
        case .csv: CSVWriter(sink, options)
        case .tsv: CSVWriter(sink, options, isTabbed: true)
        case .json: JSONRowWriter(sink, .array, options)
        case .jsonl: JSONRowWriter(sink, .lines, options)
        case .document: JSONRowWriter(sink, .object, options)
        case .arrow: ArrowWriter(sink, options)
        case .arrowFile: ArrowWriter(sink, options, isFile: true)
        case .bin2: throw DataFailure(.usage, "bin2 is not a format of rows here")
        }
    }

    private func decimalRule() throws -> ArrowDecimals.Rule {
        guard let decimal else { return .declared }
        guard let rule = ArrowDecimals.Rule(parsing: decimal) else {
            let forms = "float, text, or the digits up to 38 and those after the point, as 18,4"
            throw DataFailure(.usage, "--decimal is \(forms)")
        }
        return rule
    }

    /// The forms of cells in the output of the job.
    var options: FormatOptions {
        var options = FormatOptions()
        options.nullText = nullText
        options.numbersAsText = numbersAreText
        if isTerminal { options.terminal = rules }
        return options
    }

    private var rules: TerminalRules {
        TerminalRules(
            width: columns.map(Int.init),
            isColoured: isColoured,
            escape: { "\(Printable($0, columns: $1))" },
            columns: { Printable.width(of: $0) }
        )
    }
}

extension JobRunner {
    /// The query of the job for a table.
    ///
    /// - Throws: `PredicateError`, `WhereError`, `DataFailure`.
    func query(_ table: String) throws -> TableQuery {
        var query = TableQuery(table)
        query.fields = job.rows.fields
        query.predicate = try job.rows.predicate.map { try Expression(predicate: $0) }
        query.whereClause = try job.rows.whereXML.map { try DynamicWhere.expression(parsing: $0) }
        query.order = job.rows.order.map(FieldOrder.init(parsing:))
        query.limit = job.rows.limit.map(Int.init)
        query.parameters = try job.rows.parameters.map { try $0.dataParameter() }
        return query
    }

    var readOptions: ReadOptions {
        var options = ReadOptions()
        options.trustsServer = job.rows.trustsServer
        options.serverOnly = job.rows.isServerOnly
        options.isLocal = job.rows.isLocal
        options.maximumRows = job.rows.maxRead == 0 ? .max : Int(job.rows.maxRead)
        options.temporaryBytes = Int(job.rows.maxTemp)
        options.statementTime = .seconds(job.timeoutSeconds)
        return options
    }

    /// A reader of the tables of a server.
    func reader(_ index: Int = 0) throws -> TableReader {
        TableReader(try adapter(index), features: knownFeatures(index), options: readOptions)
    }

    /// Prints the rows of a table.
    func get() async throws {
        var reader = try reader()
        guard job.output.format != .bin2 else {
            guard job.rows.lookups.isEmpty, job.rows.calculated.isEmpty, job.rows.views == nil else {
                throw DataFailure(.usage, "bin2 has only the fields of the server")
            }
            guard job.rows.after == nil, !job.rows.isByKey else {
                throw DataFailure(.usage, "bin2 has the rows in the order of the server")
            }
            return try await getStream(reader)
        }
        var query = try query(table())
        let extra = try await extraFields(query, reader)
        if let extra { query = extra.query }
        let page = try await firstPage(query, reader)
        if job.rows.isExplained {
            if let page { return try explain([try reader.plan(page)]) }
            return try explain([try await reader.plan(query)])
        }
        var rows = try ShownRows(job, fields: await declaredFields(query.table))
        do {
            let record: ReadRecord
            if let extra {
                var extended = ExtraFieldRows(rows, extra)
                record = try await read(query, page, into: &extended, reader)
                rows = extended.consumer
            } else {
                record = try await read(query, page, into: &rows, reader)
            }
            note(record.notes)
            try await finish(&rows, DataAPI.Evaluated(record), record.notes)
            try noteCodePage()
            await learn(from: record.notes, &reader)
        } catch {
            await rows.fail()
            throw error
        }
    }

    /// The fields of a table in the schema of the service, if the format needs the digits of a Decimal; empty if the
    /// server does not show its schema.
    private func declaredFields(_ table: String) async -> [SchemaField] {
        guard [.arrow, .arrowFile].contains(job.output.format), job.output.decimal == nil,
            let text = try? await adapter().schema()
        else { return [] }
        return (try? DataSchema(parsing: text))?.table(table)?.fields ?? []
    }

    /// Reads a query, or a page of it.
    private func read(
        _ query: TableQuery,
        _ page: TablePage?,
        into rows: inout some RowConsumer,
        _ reader: TableReader
    ) async throws -> ReadRecord {
        guard let page else { return try await reader.read(query, into: &rows) }
        return try await reader.readPage(page, into: &rows).record
    }

    /// The lookup and calculated fields of the job, for a query; nil if it has none.
    func extraFields(_ query: TableQuery, _ reader: TableReader) async throws -> ExtraFields? {
        let rows = job.rows
        let own = try TableView(
            query.table,
            lookups: rows.lookups,
            calculated: rows.calculated,
            references: rows.references
        )
        var view = try rows.views.map { try ViewFile(parsing: $0).view(of: query.table) } ?? TableView(query.table)
        view.lookups += own.lookups
        view.calculated += own.calculated
        view.references += own.references
        guard !view.fieldNames.isEmpty else { return nil }
        return try await reader.extraFields(view, of: query, readsRows: !rows.isExplained)
    }

    private func finish(
        _ rows: inout ShownRows,
        _ evaluated: DataAPI.Evaluated,
        _ notes: [ReadNote]
    ) async throws {
        try await rows.finish(evaluated: evaluated.json, members: members(notes))
        guard rows.hiddenColumns > 0 else { return }
        text.note("the terminal is too narrow for \(Counted(rows.hiddenColumns, "field")): use --select or --format")
    }

    /// Prints the stream of the server.
    private func getStream(_ reader: TableReader) async throws {
        let plan = try await reader.plan(query(table()))
        guard plan.notes.isEmpty else {
            throw DataFailure(.beyondServer, "bin2 is the reply of the server, which does not do everything here")
        }
        var line = ProgressLine(job.output)
        defer { line.clear() }
        let reply = try await reader.adapter.data([plan.request])
        while let bytes = try await reply.nextBytes() {
            Main.write(Array(bytes.readableBytesView))
            line.show(rows: 0, of: 0, reply.progress)
        }
    }

    /// Counts the rows of each table.
    func count() async throws {
        var reader = try reader()
        let queries = try job.tables.map(query)
        guard !job.rows.isExplained else {
            var plans: [ReadPlan] = []
            for query in queries { plans.append(try await reader.countPlan(query)) }
            return try explain(plans)
        }
        var records: [ReadRecord] = []
        for query in queries {
            let record = try await reader.count(query, pending: try pendingOverlay(query.table))
            await conclude(record.notes, &reader)
            records.append(record)
        }
        let counts = records.map { CountedTable(name: $0.table, rows: $0.rowsKept, evaluated: .init($0)) }
        try show(counts, members(records.flatMap(\.notes)))
    }

    /// Prints the numbers of rows.
    ///
    /// - Parameter members: more members of the JSON object.
    func show(_ counts: [CountedTable], _ members: JSONObject = [:]) throws {
        guard !text.isDocument else {
            return text.write(JSONObject([("counts", .array(counts.map { .object($0.json) }))] + Array(members)))
        }
        if counts.count == 1 { return text.write(line: "\(counts[0].rows)") }
        text.write(["TABLE", "ROWS"], counts.map { [$0.name, "\($0.rows)"] })
    }

    /// Runs a statement in DA SQL at the server, or in SQLite on the tables of the job.
    func sql() async throws {
        let statement = job.statement ?? ""
        let parameters = try job.rows.parameters.map { try $0.dataParameter() }
        let limit = job.rows.limit.map { Int($0) }
        var rows = try ShownRows(job)
        do {
            let record: StatementRecord
            var reader = try reader()
            if job.sources.isEmpty {
                record = try await reader.run(
                    statement: statement,
                    parameters: parameters,
                    limit: limit,
                    into: &rows
                )
            } else {
                let tables = try job.sources.map { source in
                    StatementTable(source.alias, try self.reader(Int(source.adapter)), table: source.table)
                }
                record = try await StatementReader(statement, tables).run(parameters, limit: limit, into: &rows)
            }
            let notes = record.note.map { [$0] } ?? []
            note(notes)
            let isHere = record.note != nil || !job.sources.isEmpty
            let steps = [ReadStep.sql.rawValue]
            try await finish(&rows, .init(server: isHere ? [] : steps, here: isHere ? steps : []), notes)
            try noteCodePage()
            await learn(from: notes, &reader)
        } catch {
            await rows.fail()
            throw error
        }
    }

    /// The rows of a query in the order of the key, after that of the job if it has one; nil if the job has another order.
    private func firstPage(_ query: TableQuery, _ reader: TableReader) async throws -> TablePage? {
        guard job.rows.isByKey || job.rows.after != nil, query.limit != 0 else { return nil }
        var page = try await reader.page(of: query, rows: query.limit ?? .max)
        page.after = try job.rows.after.map { try Self.value($0, page.key) }
        return page
    }

    /// Adds the condition that a field is greater than a value.
    ///
    /// - Throws: `DataFailure` if the text is no value of the field.
    func add(_ field: DataColumn, _ text: String, _ query: inout TableQuery) throws {
        let condition = Expression.comparison(field.name, .greater, .value(try Self.value(text, field)))
        query.predicate = query.predicate.map { .and([$0, condition]) } ?? condition
    }

    /// - Throws: `DataFailure` if the text is no value of the field.
    static func value(_ text: String, _ field: DataColumn) throws -> PredicateValue {
        guard let value = DataValue(text, as: field.type).flatMap(PredicateValue.init) else {
            throw DataFailure(.usage, "'\(Printable(text))' is no value of the field \(Printable(field.name))")
        }
        return value
    }

    /// Prints a note if the code page was a guess and decided what text was written.
    func noteCodePage(_ index: Int = 0) throws {
        guard try codePage(index).wasGuessed else { return }
        let name = job.adapters[index].name
        text.note(
            "\(Printable(name)): text that is not Unicode is read as Latin-1: --code-page names another one, for a command "
                + "or for an endpoint"
        )
    }

    /// The member of a JSON object with the notes of a read; none without a note.
    func members(_ notes: [ReadNote] = []) -> JSONObject {
        let notes = job.adapters.filter(\.isOtherDatabase).map { _ in ReadNote.otherDatabase } + notes
        return notes.isEmpty ? [:] : ["notes": .array(notes.map { .object(DataAPI.Note($0).json) })]
    }

    /// Prints the notes of a read.
    func note(_ notes: [ReadNote], _ index: Int = 0) {
        for note in notes { text.note("\(Printable(job.adapters[index].name)): \(note.sentence)") }
    }

    /// Prints the notes of a read, and keeps what they show of the server.
    func conclude(_ notes: [ReadNote], _ reader: inout TableReader, _ index: Int = 0) async {
        note(notes, index)
        await learn(from: notes, &reader, index)
    }

    /// Shows how an export, a copy or a comparison reads its tables. Nothing is read or written.
    func explainTables() async throws {
        var plans: [ReadPlan] = []
        for (index, table) in job.tables.enumerated() where index == 0 || job.verb != .copy {
            let reader = try reader(job.verb == .diff ? index : 0)
            var query = try query(table)
            if let extra = try await extraFields(query, reader) { query = extra.query }
            if let rows = job.output.pageRows {
                plans.append(try reader.plan(try await reader.page(of: query, rows: Int(rows))))
            } else {
                plans.append(try await reader.plan(query))
            }
        }
        try explain(plans)
    }

    func explain(_ plans: [ReadPlan]) throws {
        var explanations: [JSONValue] = []
        for plan in plans {
            let table = plans.count > 1 ? [("table", plan.request.table)] : []
            let lines = try table + plan.explanation()
            explanations.append(.object(JSONObject(lines.map { ($0.0, .string($0.1)) })))
            if !text.isDocument { for line in lines { text.write(line: "\(line.0): \(line.1)") } }
        }
        guard text.isDocument else { return }
        text.write(plans.count == 1 ? ["explanation": explanations[0]] : ["explanations": .array(explanations)])
    }
}

/// The number of rows of a table.
struct CountedTable {
    let name: String
    let rows: Int
    /// What the server did and what was done here.
    let evaluated: DataAPI.Evaluated

    fileprivate var json: JSONObject {
        ["table": .string(name), "rows": .integer(Int64(rows)), "evaluated": evaluated.jsonValue]
    }
}
