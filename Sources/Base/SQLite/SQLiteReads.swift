// SPDX-License-Identifier: Apache-2.0

import CSQLite
package import Platform

/// The tables and columns that a query reads.
package struct SQLiteReads: Sendable, Hashable {
    /// The tables that the query may read.
    private let allowed: Set<NameKey>
    /// The columns that are read, by table. A table whose rows are only counted has none.
    package private(set) var columns: [String: Set<String>] = [:]

    /// - Parameter tables: the tables that a query may read.
    package init(_ tables: some Sequence<NameKey>) {
        allowed = Set(tables)
    }

    /// - Parameters:
    ///   - table: the first text of the action, for an action on a table the table.
    ///   - column: the second one, the column or the function.
    fileprivate mutating func allows(_ action: Int32, table: String, column: String) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: return true
        case SQLITE_FUNCTION: return SQLiteFunctions.allows(column)
        case SQLITE_READ:
            // A common table expression whose rows are only counted looks like a table without a column.
            guard allowed.contains(NameKey(table)) else { return column.isEmpty && !Self.isInternal(table) }
            columns[table, default: []].formUnion(column.isEmpty ? [] : [column])
            return true
        default: return false
        }
    }

    private static func isInternal(_ table: String) -> Bool {
        let name = table.lowercased()
        return name.hasPrefix("sqlite_") || name.hasPrefix("pragma_")
    }
}

extension SQLiteDatabase {
    /// Compiles a query, and adds what it reads to `reads`.
    ///
    /// The rows of a table that is not one of `reads` can be counted. The authorizer is not asked about VACUUM and
    /// REINDEX: check `SQLiteStatement.isReadOnly` too.
    ///
    /// - Throws: the same as `prepare(_:)`; SQLITE_AUTH if it does anything except reading the tables of `reads` and
    ///   calling functions of a list, which has those without side effects.
    package func prepare(query sql: String, _ reads: inout SQLiteReads) throws(SQLiteError) -> SQLiteStatement {
        try withUnsafeMutablePointer(to: &reads) { pointer throws(SQLiteError) in
            sqlite3_set_authorizer(
                handle,
                { context, action, first, second, _, _ in
                    guard let reads = context?.assumingMemoryBound(to: SQLiteReads.self) else { return SQLITE_DENY }
                    let table = first.map { String(cString: $0) } ?? ""
                    let column = second.map { String(cString: $0) } ?? ""
                    return reads.pointee.allows(action, table: table, column: column) ? SQLITE_OK : SQLITE_DENY
                },
                pointer
            )
            defer { sqlite3_set_authorizer(handle, nil, nil) }
            return try prepare(sql)
        }
    }
}
