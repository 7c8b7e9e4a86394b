// SPDX-License-Identifier: Apache-2.0

import SQLite

/// A request that cannot be answered. The text is for the client.
struct QueryError: Error, Hashable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension ServedSchema {
    /// The tables of the database that SQL of a client may use.
    func access(mayWrite: Bool) -> SQLiteAccess {
        let stored = (tables ?? []).filter { $0.query == nil }
        let writable = mayWrite ? stored.filter { !$0.isReadOnly } : []
        return SQLiteAccess(readable: stored.map(\.source), writable: writable.map(\.source))
    }

    /// Returns a table.
    ///
    /// - Throws: `QueryError` if there is none with this name.
    func existingTable(_ name: String) throws(QueryError) -> ServedTable {
        guard let table = table(name) else { throw QueryError("the table '\(name)' does not exist") }
        return table
    }
}

extension ServedTable {
    /// Returns a field.
    ///
    /// - Throws: `QueryError` if there is none with this name.
    func existingField(_ name: String) throws(QueryError) -> ServedField {
        guard let field = field(name) else { throw QueryError("the table '\(self.name)' has no field '\(name)'") }
        return field
    }
}
