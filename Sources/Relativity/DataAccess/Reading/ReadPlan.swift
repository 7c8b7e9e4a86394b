// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// The division of a query between the server and the client.
///
/// The rows of `request` that satisfy `residual`, in `localOrder`, at most `limit` of them, are the result.
package struct ReadPlan: Hashable, Sendable {
    /// The request for the server.
    package let request: TableRequest
    /// The condition that the rows of the reply must still satisfy; nil if they all do.
    package let residual: Expression?
    /// The order in which the rows must be sorted here; empty for the order of the reply.
    package let localOrder: [FieldOrder]
    /// The maximum number of rows of the result; nil for all.
    package let limit: Int?
    /// The names of the fields of the result, in order, each once; nil for the columns of the reply.
    package let output: [String]?
    /// The maximum number of rows to read; nil if the server does all that was asked for.
    package let maximumRows: Int?
    /// The steps that are done here.
    package let notes: [ReadNote]
    /// The parts of the predicate that are not sent.
    package let unsent: [PredicatePlan.UnsentPart]

    /// Whether no row satisfies the predicate. The request then asks for the columns only.
    package var isEmpty: Bool { residual == .constant(false) }

    /// Whether a plan depends on the columns of the table.
    package static func needsColumns(_ query: TableQuery) -> Bool {
        query.predicate != nil || !query.fields.isEmpty || !query.order.isEmpty
            || query.whereClause?.hasTextBeyondASCII == true
    }

    /// Divides a query.
    ///
    /// - Parameters:
    ///   - columns: all columns of the table. May be empty unless `needsColumns`.
    ///   - refused: steps that the server has already refused.
    ///   - page: how a page of the table is read; nil for the whole table. The order is that of the key.
    ///   - pending: changes that are made in the rows here.
    /// - Throws: `ReadError.notOnServer`, `.whereNotTaken`, `.textForServer`, `.ambiguousField`; `PredicateError`.
    package init(
        _ query: TableQuery,
        features: ServerFeatures,
        columns: [DataColumn],
        options: ReadOptions = ReadOptions(),
        refused: Set<ReadStep> = [],
        page: PageRule? = nil,
        pending: PendingOverlay? = nil
    ) throws {
        var unsentOrder: [PredicatePlan.UnsentPart]?
        if page == .sortedHere, let key = query.order.first?.field {
            let order = Expression.comparison(key, .greaterOrEqual, .value(.text("")))
            unsentOrder = try PredicatePlan(order, fields: columns, capabilities: [.where]).unsent
        }
        let steps = PlannedSteps(query, features, options, refused, unsentOrder, isMerged: pending != nil)
        let names = FieldNames(query.table, columns)
        var notes = steps.notes
        var capabilities = features.whereCapabilities
        if steps.isLocal(.filter) { capabilities = [] }
        if options.trustsServer, !capabilities.isEmpty { capabilities.insert(.trusted) }

        let division = try query.predicate.map {
            try PredicatePlan($0, fields: columns, capabilities: capabilities)
        }
        unsent = division?.unsent ?? []
        residual = division?.residual
        if !unsent.isEmpty, !steps.isLocal(.filter) {
            notes.append(ReadNote(table: query.table, step: .filter, reason: .unsent(unsent)))
        }
        guard query.whereClause == nil || !(features.lacks(.where) || refused.contains(.filter)) else {
            throw ReadError.whereNotTaken(table: query.table)
        }
        if let clause = query.whereClause, clause.hasTextBeyondASCII,
            let page = columns.first(where: {
                $0.isInChosenCodePage && clause.fieldNames.contains(NameKey($0.name))
            })
        {
            throw ReadError.textForServer(.filter, codePage: page.codePage?.name ?? "")
        }
        if options.serverOnly, let note = notes.first { throw ReadError.notOnServer(note) }
        self.notes = notes

        let order = try query.order.map { FieldOrder(try names.resolved($0.field), isDescending: $0.isDescending) }
        localOrder = steps.isLocal(.sort) ? order : []
        output = query.fields.isEmpty ? nil : Self.unique(try query.fields.map(names.resolved))
        limit = query.limit.map { max(0, $0) }
        maximumRows = notes.isEmpty ? nil : options.maximumRows

        var selection = DynamicSelection()
        if let output, !steps.isLocal(.select) {
            let used = residual?.fieldNames ?? []
            let added = page == nil ? localOrder : order
            // Changed rows are tested here.
            let tested = pending == nil ? [] : Array(query.predicate?.fieldNames ?? [])
            let read: [String] = Array(used) + tested + (pending?.keyNames ?? [])
            selection.fields = Self.unique(try output + read.map(names.resolved) + added.map(\.field))
        }
        if localOrder.isEmpty { selection.order = order.first }
        selection.condition = Self.both(query.whereClause, division?.sent)
        let isPlain = selection == DynamicSelection()
        var rowLimit = pending == nil ? Self.rowLimit(limit, residual: residual, localOrder: localOrder) : nil
        if case .limited(let rows) = page, localOrder.isEmpty, residual != .constant(false),
            query.predicate == nil || division?.sent != nil
        {
            rowLimit = Int32(clamping: rows)
        }
        request = TableRequest(
            query.table,
            isPlain ? .all() : .dynamic(selection),
            rowLimit: rowLimit,
            parameters: query.parameters
        )
    }

    /// The plan for a request of which the server does everything.
    init(sending request: TableRequest, limit: Int?) {
        self.request = request
        self.limit = limit
        (residual, localOrder, output, maximumRows, notes, unsent) = (nil, [], nil, nil, [], [])
    }

    /// MaxRecords is sent only if every row of the reply is one of the result.
    private static func rowLimit(_ limit: Int?, residual: Expression?, localOrder: [FieldOrder]) -> Int32? {
        if residual == .constant(false) { return 0 }
        guard residual == nil, localOrder.isEmpty, let limit else { return nil }
        return Int32(exactly: limit)
    }

    private static func both(_ left: WhereExpression?, _ right: WhereExpression?) -> WhereExpression? {
        guard let left, let right else { return left ?? right }
        return .binary(.and, left, right)
    }

    private static func unique(_ names: [String]) -> [String] {
        var known: Set<[UInt8]> = []
        return names.filter { known.insert(Array($0.utf8)).inserted }
    }
}

/// How a page of a table is read.
package enum PageRule: Hashable, Sendable {
    /// The server sorts by the key, and sends at most this many rows. Some of them may be filtered out here.
    case limited(rows: Int)
    /// The rows are sorted here, because the server may order the key in another way than predicates do.
    case sortedHere
}

/// Decides which steps of a query are done here.
private struct PlannedSteps {
    private(set) var notes: [ReadNote] = []

    init(
        _ query: TableQuery,
        _ features: ServerFeatures,
        _ options: ReadOptions,
        _ refused: Set<ReadStep>,
        _ unsentOrder: [PredicatePlan.UnsentPart]?,
        isMerged: Bool
    ) {
        func add(_ step: ReadStep, _ reason: ReadReason?) {
            let reason = reason ?? (refused.contains(step) ? .refused : nil)
            if let reason { notes.append(ReadNote(table: query.table, step: step, reason: reason)) }
        }
        func lacks(_ feature: ServerFeature) -> ReadReason? { features.lacks(feature) ? .lacks(feature) : nil }
        let local = options.isLocal ? ReadReason.isLocal : nil
        if query.predicate != nil { add(.filter, local ?? lacks(.where)) }
        if !query.fields.isEmpty { add(.select, lacks(.select)) }
        let count = query.order.count
        let several = count > 1 ? ReadReason.severalFields(count) : nil
        let merged = isMerged ? ReadReason.isLocal : nil
        if count > 0 { add(.sort, local ?? merged ?? several ?? unsentOrder.map { .unsent($0) }) }
    }

    func isLocal(_ step: ReadStep) -> Bool { notes.contains { $0.step == step } }
}

/// The columns of a table by name.
package struct FieldNames: Sendable {
    private let table: String
    private let columns: [DataColumn]

    /// - Parameter table: for errors.
    package init(_ table: String, _ columns: [DataColumn]) {
        self.table = table
        self.columns = columns
    }

    /// Returns the index of the column that a name selects (`NameMatch`); nil if there is none.
    ///
    /// - Throws: `ReadError.ambiguousField`.
    package func index(of name: String) throws(ReadError) -> Int? {
        let match = NameMatch(name, in: columns.lazy.map(\.name))
        guard match != .ambiguous else { throw .ambiguousField(table: table, field: name) }
        return match.index
    }

    /// Returns the index of the column that a name selects.
    ///
    /// - Throws: `ReadError.ambiguousField`, `.unknownField`.
    package func required(_ name: String) throws(ReadError) -> Int {
        guard let index = try index(of: name) else { throw unknown(name) }
        return index
    }

    /// The error for a name that selects no column.
    package func unknown(_ name: String) -> ReadError {
        .unknownField(table: table, field: UnknownName(name, among: columns.map(\.name)))
    }

    /// Returns the name as the table spells it; the name itself if the table has no such field.
    package func resolved(_ name: String) throws(ReadError) -> String {
        try index(of: name).map { columns[$0].name } ?? name
    }
}
