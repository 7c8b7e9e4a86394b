// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import DataAccess

@Suite("Read plans")
struct ReadPlanTests {
    private static let columns = [
        DataColumn("Id", .integer), DataColumn("Name", .wideString), DataColumn("City", .wideString),
        DataColumn("Amount", .currency), DataColumn("Day", .dateTime), DataColumn("Paid", .boolean),
    ]

    private static func features(_ answers: KeyValuePairs<ServerFeature, Bool>) -> ServerFeatures {
        var features = ServerFeatures()
        for (feature, answer) in answers { features[feature] = FeatureFinding(answer, .probed) }
        return features
    }

    private func plan(
        _ predicate: String? = nil,
        fields: [String] = [],
        order: [FieldOrder] = [],
        limit: Int? = nil,
        features: ServerFeatures = ServerFeatures(),
        options: ReadOptions = ReadOptions(),
        refused: Set<ReadStep> = [],
        pending: PendingOverlay? = nil
    ) throws -> ReadPlan {
        var query = TableQuery("Orders")
        query.predicate = try predicate.map { try Expression(predicate: $0) }
        (query.fields, query.order, query.limit) = (fields, order, limit)
        return try ReadPlan(
            query,
            features: features,
            columns: Self.columns,
            options: options,
            refused: refused,
            pending: pending
        )
    }

    private func notes(_ plan: ReadPlan) -> [String] {
        plan.notes.map { note in
            let reason =
                switch note.reason {
                case .isLocal: "local"
                case .lacks(let feature): "lacks \(feature.rawValue)"
                case .refused: "refused"
                case .unsent(let parts): "unsent \(parts.map { "\($0.predicate)" }.joined(separator: "; "))"
                case .severalFields(let count): "\(count) fields"
                case .notInStatement: "not in a statement"
                case .otherDatabase: "other database"
                }
            return "\(note.step.rawValue): \(reason)"
        }
    }

    private func dynamic(_ plan: ReadPlan) throws -> DynamicSelection {
        guard case .dynamic(let selection) = plan.request.selection else {
            throw ReadError.missingTable("a plain request")
        }
        return selection
    }

    @Test("with pending changes the server filters, and neither sorts nor limits; the key and tested fields are read")
    func pending() throws {
        var fields = Self.columns.map { EditableField($0.name, $0.type) }
        fields[0].isInPrimaryKey = true
        let pending = PendingOverlay(try EditableTable(name: "Orders", fields: fields))
        let order = [FieldOrder("Amount", isDescending: true)]
        let plan = try plan("City = 'Ulm'", fields: ["Name"], order: order, limit: 5, pending: pending)
        let selection = try dynamic(plan)
        #expect(Set(selection.fields) == ["Name", "Amount", "Id", "City"] && selection.fields.first == "Name")
        #expect(selection.condition != nil && selection.order == nil && plan.request.rowLimit == nil)
        #expect(plan.localOrder == order && plan.limit == 5 && notes(plan) == ["sort: local"])
    }

    @Test("a query for everything is a plain request")
    func plain() throws {
        let plan = try plan()
        #expect(plan.request == TableRequest("Orders"))
        #expect(plan.residual == nil && plan.localOrder.isEmpty && plan.output == nil && plan.maximumRows == nil)
        #expect(plan.notes.isEmpty && !plan.isEmpty)
    }

    @Test("MaxRecords is sent only if nothing is filtered or sorted here")
    func limit() throws {
        #expect(try plan(limit: 5).request == TableRequest("Orders", rowLimit: 5))
        #expect(try plan(limit: 0).request.rowLimit == 0)
        #expect(try plan(limit: 1 << 40).request.rowLimit == nil)
        #expect(try plan(limit: 1 << 40).limit == 1 << 40)
        #expect(try plan(order: [FieldOrder("Id")], limit: 5).request.rowLimit == 5)
        let several = try plan(order: [FieldOrder("Id"), FieldOrder("Name")], limit: 5)
        #expect(several.request.rowLimit == nil && several.limit == 5)
        let filtered = try plan("Id > 3", limit: 5)
        #expect(filtered.request.rowLimit == nil && filtered.limit == 5)
        var trusting = ReadOptions()
        trusting.trustsServer = true
        #expect(try plan("Id > 3", limit: 5, options: trusting).request.rowLimit == 5)
        #expect(try plan("Name ==[c] 'a'", limit: 5, options: trusting).request.rowLimit == nil)
    }

    @Test("a predicate that is sent is evaluated here again, and one that cannot be sent here only")
    func filter() throws {
        let sent = try plan("Id == 3")
        #expect(
            try dynamic(sent).condition
                == .binary(.equal, .field("Id"), .constant("3", type: "Integer"))
        )
        #expect(try sent.residual == Expression(predicate: "Id == 3"))
        #expect(sent.notes.isEmpty && sent.maximumRows == nil)

        let mixed = try plan("Id == 3 AND Name != 'x'")
        #expect(try dynamic(mixed).condition == dynamic(sent).condition)
        #expect(notes(mixed) == ["filter: unsent Name != 'x'"])
        #expect(mixed.maximumRows == 1_000_000)
        #expect(mixed.unsent.map(\.reason) == [.negation])

        let unsent = try plan("Name < 'x'")
        #expect(unsent.request == TableRequest("Orders"))
        #expect(notes(unsent) == ["filter: unsent Name < 'x'"])
    }

    @Test("dates are sent only if they are proven")
    func dates() throws {
        #expect(try plan("Day == 2020-01-02").request == TableRequest("Orders"))
        let proven = try plan("Day == 2020-01-02", features: Self.features([.dates: true]))
        #expect(try dynamic(proven).condition != nil && proven.notes.isEmpty)
    }

    @Test("a server without where clauses sends all rows")
    func noWhere() throws {
        let known = try plan("Id == 3", features: Self.features([.where: false]))
        #expect(known.request == TableRequest("Orders"))
        #expect(notes(known) == ["filter: lacks where"])
        let refused = try plan("Id == 3", refused: [.filter])
        #expect(refused.request == TableRequest("Orders"))
        #expect(notes(refused) == ["filter: refused"])
        var trusting = ReadOptions()
        trusting.trustsServer = true
        #expect(try plan("Id == 3", options: trusting, refused: [.filter]).residual != nil)
    }

    @Test("a predicate that is false for every row asks for the columns only")
    func never() throws {
        let plan = try plan("FALSEPREDICATE", limit: 9)
        #expect(plan.isEmpty && plan.request.rowLimit == 0)
    }

    @Test("fields of the residual predicate and of the sort are added to the selection")
    func addedFields() throws {
        let sorted = [FieldOrder("City"), FieldOrder("ID", isDescending: true)]
        let plan = try plan("amount > 2", fields: ["name"], order: sorted)
        #expect(try dynamic(plan).fields == ["Name", "Amount", "City", "Id"])
        #expect(plan.output == ["Name"])
        #expect(plan.localOrder == [FieldOrder("City"), FieldOrder("Id", isDescending: true)])
        #expect(try dynamic(plan).order == nil)
        #expect(notes(plan) == ["sort: 2 fields"])
        var trusting = ReadOptions()
        trusting.trustsServer = true
        #expect(try dynamic(self.plan("Amount > 2", fields: ["Name"], options: trusting)).fields == ["Name"])
        let repeated = try self.plan(fields: ["Name", "Id", "name"])
        #expect(try dynamic(repeated).fields == ["Name", "Id"] && repeated.output == ["Name", "Id"])
    }

    @Test("one field is sorted by the server, unless it refuses")
    func oneField() throws {
        let order = FieldOrder("Id", isDescending: true)
        #expect(try dynamic(plan(order: [order])).order == order)
        #expect(try dynamic(plan(order: [order])).fields.isEmpty)
        let refused = try plan(order: [order], refused: [.sort])
        #expect(refused.request == TableRequest("Orders"))
        #expect(refused.localOrder == [order] && notes(refused) == ["sort: refused"])
    }

    @Test("a server that takes no selection sends all fields")
    func noSelect() throws {
        for (plan, note) in [
            (try plan(fields: ["Name"], features: Self.features([.select: false])), "select: lacks select"),
            (try plan(fields: ["Name"], refused: [.select]), "select: refused"),
        ] {
            #expect(plan.request == TableRequest("Orders"))
            #expect(plan.output == ["Name"] && notes(plan) == [note])
        }
    }

    @Test("a name that the table does not have is left to the server")
    func unknownField() throws {
        #expect(try dynamic(plan(fields: ["Nmae"], order: [FieldOrder("X")])).fields == ["Nmae"])
        let unknown = UnknownName("Nmae", among: ["Name"])
        #expect(unknown.nearest == "Name")
        #expect(throws: PredicateError.unknownField(unknown)) { try plan("Nmae == 1") }
        #expect(throws: PredicateError.unquoted("Ada")) { try plan("Name = Ada") }
    }

    @Test("a local read filters and sorts here, but selects at the server")
    func local() throws {
        var options = ReadOptions()
        options.isLocal = true
        let plan = try plan("Id == 3", fields: ["Id"], order: [FieldOrder("Name")], limit: 2, options: options)
        #expect(plan.request == TableRequest("Orders", .dynamic(DynamicSelection(fields: ["Id", "Name"]))))
        #expect(plan.residual != nil && plan.localOrder == [FieldOrder("Name")])
        #expect(notes(plan) == ["filter: local", "sort: local"])
    }

    @Test("what the server does not do is an error if only the server may do it")
    func serverOnly() throws {
        var options = ReadOptions()
        options.serverOnly = true
        #expect(try plan("Id == 3", fields: ["Id"], order: [FieldOrder("Id")], options: options).notes.isEmpty)
        let order = [FieldOrder("Id"), FieldOrder("Name")]
        let several = ReadNote(table: "Orders", step: .sort, reason: .severalFields(2))
        #expect(throws: ReadError.notOnServer(several)) { try plan(order: order, options: options) }
        #expect(throws: ReadError.self) { try plan("Name != 'a'", options: options) }
        let select = ReadNote(table: "Orders", step: .select, reason: .lacks(.select))
        #expect(throws: ReadError.notOnServer(select)) {
            try plan(fields: ["Id"], features: Self.features([.select: false]), options: options)
        }
    }

    @Test("a where clause of the user is joined with the predicate, and needs the server")
    func whereClause() throws {
        let own = WhereExpression.binary(.greater, .field("Id"), .constant("1", type: "Integer"))
        var query = TableQuery("Orders")
        query.whereClause = own
        let alone = try ReadPlan(query, features: ServerFeatures(), columns: [])
        #expect(try dynamic(alone).condition == own && alone.residual == nil)
        query.predicate = try Expression(predicate: "Id == 3")
        let both = try ReadPlan(query, features: ServerFeatures(), columns: Self.columns)
        #expect(try dynamic(both).condition == .binary(.and, own, dynamic(plan("Id == 3")).condition ?? .null))
        #expect(throws: ReadError.whereNotTaken(table: "Orders")) {
            try ReadPlan(query, features: Self.features([.where: false]), columns: Self.columns)
        }
        #expect(throws: ReadError.whereNotTaken(table: "Orders")) {
            try ReadPlan(query, features: ServerFeatures(), columns: Self.columns, refused: [.filter])
        }
    }

    @Test("names that differ only in case are ambiguous unless one is exact")
    func ambiguous() throws {
        let names = FieldNames("T", [DataColumn("A", .integer), DataColumn("a", .integer), DataColumn("É", .integer)])
        #expect(try names.index(of: "a") == 1)
        #expect(try names.index(of: "é") == nil)
        let twice = FieldNames("T", [DataColumn("Ab", .integer), DataColumn("aB", .integer)])
        #expect(throws: ReadError.ambiguousField(table: "T", field: "AB")) { try twice.index(of: "AB") }
    }
}
