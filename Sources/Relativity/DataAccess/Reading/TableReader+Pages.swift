// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The end of a page.
package struct PageEnd: Hashable, Sendable {
    /// The requests of the page, as one.
    package internal(set) var record: ReadRecord
    /// The key of the last row, for the next page; nil if there is none.
    package internal(set) var lastKey: PredicateValue?
    /// Whether this is the last page. A full page counts as not the last one, because it is unknown.
    package internal(set) var isLast: Bool
}

/// The rows of a query with the next keys.
package struct TablePage: Sendable {
    /// The key: a field with different values in all rows.
    package let key: DataColumn
    /// The key of the last row of the previous page; nil for the first page.
    package var after: PredicateValue?
    /// The maximum number of rows, at least 1.
    package var rows: Int
    fileprivate let query: TableQuery
    fileprivate let head: TableHead
    fileprivate let isNumber: Bool
}

extension TableReader {
    /// Returns the first page of a query: the rows with the least keys. The pages are no snapshot of the table.
    ///
    /// A key of whole numbers is compared and sorted by the server, so that a page costs as much as its rows. With a
    /// key of text every page reads the whole table, because servers order text in different ways.
    ///
    /// - Parameters:
    ///   - query: its order and limit are ignored.
    ///   - key: a field with different values in all rows; nil for the primary key of the schema.
    ///   - rows: the maximum number of rows, at least 1.
    /// - Throws: also `ReadError.noKey`.
    package func page(of query: TableQuery, key: String? = nil, rows: Int) async throws -> TablePage {
        let head = try await head(of: query.table, parameters: query.parameters)
        let (column, isNumber) = try Self.key(key, of: head, query.table)
        return TablePage(key: column, rows: max(1, rows), query: query, head: head, isNumber: isNumber)
    }

    /// Reads a page, in the order of the key.
    ///
    /// - Throws: also `ReadError.changedColumns` if the table changes within the page.
    package func readPage(_ page: TablePage, into consumer: inout some RowConsumer) async throws -> PageEnd {
        var output = OneTable(consumer, page.query.table)
        defer { consumer = output.consumer }
        var page = page
        var record: ReadRecord?
        while true {
            var run = try await begin(page.part, columns: page.head.columns, page: page.rule)
            let done = try await run.read(into: &output)
            record = record.map { $0.adding(done) } ?? done
            page.rows -= done.rowsKept
            let previous = page.after
            if case .unreadable(let text) = run.lastKey {
                let row = UnreadableCell.Row.key("\(page.key.name)=\(text.text)")
                throw PredicateError.unreadable(UnreadableCell(row, field: page.key.name, text))
            }
            page.after = run.lastKey.flatMap(PredicateValue.init) ?? previous
            let isCut = run.plan.request.rowLimit.map { done.rowsRead >= Int($0) } ?? false
            // A server that ignores the condition would send the same rows again.
            let isStuck = page.after == previous
            if page.rows <= 0 || !isCut || isStuck {
                let isLast = page.rows > 0 || (run.isComplete && !isCut && page.isNumber)
                return PageEnd(record: record ?? done, lastKey: page.after, isLast: isLast)
            }
        }
    }

    /// Returns the plan of the first request of a page.
    package func plan(_ page: TablePage) throws -> ReadPlan {
        try ReadPlan(page.part, features: features, columns: page.head.columns, options: options, page: page.rule)
    }

    private static func key(
        _ name: String?,
        of head: TableHead,
        _ table: String
    ) throws(ReadError) -> (column: DataColumn, isNumber: Bool) {
        let primary = (head.schema?.fields ?? []).filter(\.isInPrimaryKey)
        let names = FieldNames(table, head.columns)
        guard let name = name ?? (primary.count == 1 ? primary[0].name : nil) else { throw .noKey(table: table) }
        let index = try names.required(name)
        switch head.columns[index].type {
        case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal:
            return (head.columns[index], true)
        case .string, .wideString, .fixedChar, .fixedWideChar, .guid: return (head.columns[index], false)
        default: throw .noKey(table: table)
        }
    }
}

extension TablePage {
    fileprivate var part: TableQuery {
        var part = query
        part.order = [FieldOrder(key.name)]
        part.limit = rows
        let condition = after.map { Expression.comparison(key.name, .greater, .value($0)) }
        let conditions = [query.predicate, condition].compactMap(\.self)
        part.predicate = conditions.count > 1 ? .and(conditions) : conditions.first
        return part
    }

    fileprivate var rule: PageRule { isNumber ? .limited(rows: rows == .max ? rows : rows + 1) : .sortedHere }
}

extension ReadRecord {
    fileprivate func adding(_ other: ReadRecord) -> ReadRecord {
        var result = self
        result.rowsRead += other.rowsRead
        result.rowsKept += other.rowsKept
        return result
    }
}

/// Joins the replies of several requests for one table.
private struct OneTable<Consumer: RowConsumer>: RowConsumer {
    private(set) var consumer: Consumer
    private let table: String
    private var columns: [DataColumn]?

    init(_ consumer: Consumer, _ table: String) {
        self.consumer = consumer
        self.table = table
    }

    mutating func begin(_ head: TableHead) async throws {
        guard let columns else {
            columns = head.columns
            return try await consumer.begin(head)
        }
        guard columns == head.columns else { throw ReadError.changedColumns(table: table) }
    }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) async throws { try await consumer.add(rows, indices) }

    mutating func received(_ progress: ReplyProgress) { consumer.received(progress) }

    mutating func finish() {}
}
