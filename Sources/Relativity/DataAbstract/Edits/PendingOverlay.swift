// SPDX-License-Identifier: Apache-2.0

/// The pending changes of a table, for rows of the server that are read without them.
package struct PendingOverlay: Sendable {
    /// The names of the fields of the key.
    package let keyNames: [String]
    /// The names of all fields.
    package let names: [String]
    /// The changed and the new rows, in the order of the table, with one value for each field.
    package let rows: [[DataValue]]
    private let hidden: Set<RowKey>
    private let keyTypes: [DataType]

    /// Creates the overlay of a table.
    package init(_ table: EditableTable) {
        let layout = table.layout
        names = table.fields.map(\.name)
        keyNames = layout.key.map { table.fields[$0].name }
        keyTypes = layout.key.map { layout.types[$0] }
        let changed = table.changedRows.compactMap { table.kept[$0] }
        rows = changed.filter(\.isVisible).map(\.new)
        hidden = Set(changed.filter { $0.state != .inserted }.compactMap { layout.key(of: $0.old) })
    }

    /// Whether the set has another state of the server's row with this key, or removes it.
    package func hides(_ key: [DataValue]) -> Bool { !key.isEmpty && hidden.contains(RowKey(key, keyTypes)) }

    /// Whether it hides rows at all.
    package var hidesRows: Bool { !hidden.isEmpty }
}
