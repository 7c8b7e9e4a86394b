// SPDX-License-Identifier: Apache-2.0

/// A reference of the rows of a table, the detail, to rows of another one, the master, as in
/// `OrderDetails.Order=Orders.Id`.
public struct KeyReference: Hashable, Sendable {
    /// The table that refers.
    public var detail: String
    /// The fields that refer.
    public var detailFields: [String]
    /// The table that is referred to.
    public var master: String
    /// The fields of the master, as many as `detailFields`, in their order.
    public var masterFields: [String]
    /// Whether the schema of the server has the relationship. Then the server replaces temporary keys in the details of
    /// the same call.
    public var isKnownToServer: Bool

    /// Creates a reference.
    public init(
        _ detail: String,
        _ detailFields: [String],
        to master: String,
        _ masterFields: [String],
        isKnownToServer: Bool = false
    ) {
        self.detail = detail
        self.detailFields = detailFields
        self.master = master
        self.masterFields = masterFields
        self.isKnownToServer = isKnownToServer
    }

    /// Parses `DETAIL.FIELD=MASTER.FIELD`. The last point of each side divides table and field. Returns nil for other
    /// texts.
    public init?(_ text: String) {
        let sides = text.split(separator: "=", omittingEmptySubsequences: false).map(Self.names)
        guard sides.count == 2, let left = sides[0], let right = sides[1] else { return nil }
        self.init(left.table, [left.field], to: right.table, [right.field])
    }

    /// The references that a server's schema shows.
    public static func references(of schema: DataSchema) -> [KeyReference] {
        schema.relationships.map { relationship in
            KeyReference(
                relationship.detail,
                relationship.detailFields,
                to: relationship.master,
                relationship.masterFields,
                isKnownToServer: true
            )
        }
    }

    /// Each field that refers, with the one that it refers to.
    package var fields: [(detail: String, master: String)] {
        zip(detailFields, masterFields).map { (detail: $0, master: $1) }
    }

    private static func names(_ side: Substring) -> (table: String, field: String)? {
        guard let point = side.lastIndex(of: ".") else { return nil }
        let (table, field) = (side[..<point], side[side.index(after: point)...])
        return table.isEmpty || field.isEmpty ? nil : (String(table), String(field))
    }
}
