// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// Lookup and calculated fields for the rows of a query: what is read of the table, and the rows of the other tables.
package struct ExtraFields: Sendable {
    /// The query without the extra fields, and with the fields that these need.
    package let query: TableQuery
    private let table: CalculatedTable
    /// The indexes of the fields of the result, among those that are read and the extra ones; nil for all.
    private let selected: [Int]?
    /// The maximum bytes of a row of the result.
    private let rowLimit: Int

    /// The columns of the result.
    package var columns: [DataColumn] {
        let all = table.columns + table.extraColumns
        return selected.map { $0.map { all[$0] } } ?? all
    }

    init(_ query: TableQuery, _ table: CalculatedTable, selected: [Int]?, rowLimit: Int) {
        (self.query, self.table, self.selected, self.rowLimit) = (query, table, selected, rowLimit)
    }

    /// - Throws: `changedColumns` if the head does not have the columns of the query.
    func head(_ head: TableHead) throws -> TableHead {
        guard head.columns.map(\.name) == table.columns.map(\.name),
            head.columns.map(\.type) == table.columns.map(\.type)
        else { throw ReadError.changedColumns(table: query.table) }
        let known = head.schema.flatMap { $0.fields.count == head.columns.count ? $0.fields : nil }
        let own = table.extraColumns.map { SchemaEntry(field: $0.name, $0.type, isReadOnly: true) }
        // All fields of a schema have the same properties.
        let names = (known?.first ?? own.first)?.properties.map(\.name) ?? []
        let entries = (known ?? []) + own.map { field in SchemaEntry(names.map { .init($0, field[$0]) }) }
        return TableHead(
            name: head.name,
            columns: columns,
            rowCount: head.rowCount,
            schema: known == nil ? nil : try TableSchema(fields: selected.map { $0.map { entries[$0] } } ?? entries)
        )
    }

    /// Passes rows on with the extra fields, in batches.
    ///
    /// - Throws: `GrowthError`; `TableError`; `CancellationError`; the error of the consumer.
    func add(_ rows: DataRows, _ indices: [Int]?, to consumer: inout some RowConsumer) async throws {
        var left = (indices ?? Array(rows.indices))[...]
        while !left.isEmpty {
            try Task.checkCancellation()
            let whole = try table.batch(of: rows, left, rowLimit: rowLimit)
            left = left.dropFirst(whole.count)
            try await consumer.add(whole, nil, selecting: selected, rowLimit: rowLimit)
        }
    }
}

/// Passes rows on with extra fields.
package struct ExtraFieldRows<Consumer: RowConsumer>: RowConsumer {
    /// The consumer of the result.
    package var consumer: Consumer
    private let fields: ExtraFields

    /// Creates a consumer of the rows of `fields.query`.
    package init(_ consumer: Consumer, _ fields: ExtraFields) {
        (self.consumer, self.fields) = (consumer, fields)
    }

    package mutating func begin(_ table: TableHead) async throws { try await consumer.begin(try fields.head(table)) }

    package mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws {
        try await fields.add(rows, indices, to: &consumer)
    }

    package mutating func received(_ progress: ReplyProgress) { consumer.received(progress) }

    package mutating func finish() async throws { try await consumer.finish() }

    package mutating func fail() async { await consumer.fail() }
}

extension TableReader {
    /// Reads the other tables that the fields of a view need, and checks the view.
    ///
    /// The fields of the query may be those of the table and of the view. Conditions and the order are those of the table.
    ///
    /// - Throws: `TableViewError`; `tooManyRows` if another table has more rows than `ReadOptions.maximumRows`;
    ///   `GrowthError`.
    /// - Parameters:
    ///   - readsRows: false to learn what is read of the table; the extra fields are then wrong.
    ///   - maximumBytes: the limit of the rows of all other tables together, as encoded, and that of the values that are
    ///     kept of them.
    package func extraFields(
        _ view: TableView,
        of query: TableQuery,
        readsRows: Bool = true,
        maximumBytes: Int = .max
    ) async throws -> ExtraFields {
        let all = try await head(of: query.table, parameters: query.parameters).columns
        let names = FieldNames(query.table, all)
        var view = view
        view.lookups = view.lookups.map { $0.withTypedKeys(of: all) }
        if view.needsReferences {
            // A reference of the user is instead of the one in the schema.
            view.references += try await references().filter { known in
                !view.references.contains { $0.connects(known.detail, known.master) }
            }
        }
        var (read, columns) = (query, all)
        var missing: [String] = []
        if !query.fields.isEmpty {
            // The others are extra fields, or unknown.
            var indexes: [Int] = []
            for name in query.fields + view.readFields.sorted() {
                guard let index = try names.index(of: name) else { continue }
                if !indexes.contains(index) { indexes.append(index) }
            }
            // A request without fields would be for all of them.
            if indexes.isEmpty, let first = all.indices.first { indexes = [first] }
            columns = indexes.map { all[$0] }
            read.fields = columns.map(\.name)
            missing = all.indices.filter { !indexes.contains($0) }.map { all[$0].name }
        }
        // An extra field must not have the name of a field that is not read either.
        for name in missing {
            guard let clash = view.fieldNames.first(where: { NameMatch.isSimilar($0, name) }) else { continue }
            throw TableViewError.existingField(clash)
        }
        var tables: [String: SourceTable] = [:]
        var bytesLeft = maximumBytes
        for (name, fields) in view.matchedFields {
            let columns = try await head(of: name).columns
            guard readsRows else {
                tables[name] = SourceTable(columns)
                continue
            }
            var query = TableQuery(name)
            // The view is checked later. It has the error for a field that does not exist.
            let found = try fields.compactMap { try FieldNames(name, columns).index(of: $0) }
            // A request without fields would be for all of them.
            query.fields = found.isEmpty ? columns.prefix(1).map(\.name) : Set(found).sorted().map { columns[$0].name }
            var rows = SourceRows(limit: options.maximumRows, bytes: maximumBytes, bytesLeft: bytesLeft)
            _ = try await self.read(query, into: &rows)
            guard let table = rows.table else { throw ReadError.missingTable(name) }
            tables[name] = table
            bytesLeft = rows.bytesLeft
        }
        var table = try CalculatedTable(view, columns: columns, tables: tables.mapValues(\.columns))
        try table.load(tables, maximumBytes: maximumBytes)
        guard !query.fields.isEmpty else { return ExtraFields(read, table, selected: nil, rowLimit: limits.row) }
        let found = FieldNames(query.table, columns + table.extraColumns)
        let known = FieldNames(query.table, all + table.extraColumns)
        let selected = try query.fields.map { name throws(ReadError) in
            // The error names all fields, also those that are not read.
            guard let index = try found.index(of: name) else { throw known.unknown(name) }
            return index
        }
        return ExtraFields(read, table, selected: selected, rowLimit: limits.row)
    }

    /// The references of the schema; none if the server does not show it.
    private func references() async throws -> [KeyReference] {
        do {
            return KeyReference.references(of: try DataSchema(parsing: try await adapter.schema()))
        } catch DataAdapterError.exception {
            return []
        }
    }
}

extension KeyReference {
    fileprivate func connects(_ detail: String, _ master: String) -> Bool {
        NameMatch.isSimilar(self.detail, detail) && NameMatch.isSimilar(self.master, master)
    }
}

extension LookupField {
    /// Converts the keys of a fixed list from texts to values of the source field. A text that is no value stays one.
    fileprivate func withTypedKeys(of columns: [DataColumn]) -> LookupField {
        guard case .list(let entries) = content, source.count == 1,
            let type = try? FieldNames("", columns).index(of: source[0]).map({ columns[$0].type })
        else { return self }
        var field = self
        field.content = .list(
            entries.map { entry in
                guard case .text(let text) = entry.key, let value = DataValue(text, as: type),
                    let key = PredicateValue(value)
                else { return entry }
                return LookupEntry(key, entry.text)
            }
        )
        return field
    }
}

/// Collects the rows of another table.
private struct SourceRows: RowConsumer {
    let limit: Int
    private(set) var table: SourceTable?
    private var name = ""
    /// The limit of all tables.
    private let bytes: Int
    private(set) var bytesLeft: Int
    private var count = 0

    init(limit: Int, bytes: Int, bytesLeft: Int) {
        (self.limit, self.bytes, self.bytesLeft) = (limit, bytes, bytesLeft)
    }

    mutating func begin(_ table: TableHead) {
        name = table.name
        self.table = SourceTable(table.columns)
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        bytesLeft -= rows.withCells { bytes, _ in bytes.count }
        guard bytesLeft >= 0 else { throw GrowthError.matches(limit: bytes) }
        count += indices?.count ?? rows.count
        guard count <= limit else { throw ReadError.tooManyRows(table: name, limit: limit) }
        table?.append(rows, indices: indices)
    }

    mutating func finish() {}
}
