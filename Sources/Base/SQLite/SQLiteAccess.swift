// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Platform

/// The tables that a statement from an untrusted source may use.
package struct SQLiteAccess: Sendable, Hashable {
    private let readable: Set<NameKey>
    private let writable: Set<NameKey>

    /// - Parameter writable: may also be read.
    package init(readable: some Sequence<String>, writable: some Sequence<String> = []) {
        let writable = Set(writable.map { NameKey($0) })
        self.writable = writable
        self.readable = writable.union(readable.map { NameKey($0) })
    }

    /// Decides on one action of a statement, as SQLite describes it. Pragmas, attached databases, transactions,
    /// changes of the schema, recursive queries and unknown functions are never allowed.
    ///
    /// - Parameters:
    ///   - subject: the table, for an action on a table; the function for the call of one.
    ///   - view: the view or trigger that causes the action.
    fileprivate func allows(_ action: Int32, subject: String, view: String?) -> Bool {
        switch action {
        case SQLITE_SELECT: true
        case SQLITE_FUNCTION: SQLiteFunctions.allows(subject)
        case SQLITE_READ:
            readable.contains(NameKey(subject)) || view.map { readable.contains(NameKey($0)) } ?? false
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: writable.contains(NameKey(subject))
        default: false
        }
    }
}

extension SQLiteDatabase {
    /// Compiles one statement that uses only the tables of `access`. A query of a view must name one of its columns:
    /// for `count(*)` SQLite reports the table below the view.
    ///
    /// SQLite reports a common table expression like a view of that name. So in a text that contains the letters
    /// `with`, wherever they stand, a view may be read only if the tables below it may be read too.
    ///
    /// - Throws: the same as `prepare(_:)`; SQLITE_AUTH for any other action.
    package func prepare(_ sql: String, allowing access: SQLiteAccess) throws(SQLiteError) -> SQLiteStatement {
        var request = AccessRequest(access: access, trustsViews: !AccessRequest.mayDefineTables(sql))
        return try withUnsafeMutablePointer(to: &request) { pointer throws(SQLiteError) in
            sqlite3_set_authorizer(
                handle,
                { context, action, first, second, _, view in
                    guard let request = context?.assumingMemoryBound(to: AccessRequest.self) else { return SQLITE_DENY }
                    let subject = (action == SQLITE_FUNCTION ? second : first).map { String(cString: $0) } ?? ""
                    let view = request.pointee.trustsViews ? view.map { String(cString: $0) } : nil
                    let isAllowed = request.pointee.access.allows(action, subject: subject, view: view)
                    return isAllowed ? SQLITE_OK : SQLITE_DENY
                },
                pointer
            )
            defer { sqlite3_set_authorizer(handle, nil, nil) }
            return try prepare(sql)
        }
    }
}

extension SQLiteDatabase {
    /// Returns the tables that one statement changes, also by its triggers, without running it.
    ///
    /// - Throws: the same as `prepare(_:)`.
    package func tablesChanged(by sql: String) throws(SQLiteError) -> Set<String> {
        var tables: Set<String> = []
        try withUnsafeMutablePointer(to: &tables) { pointer throws(SQLiteError) in
            sqlite3_set_authorizer(
                handle,
                { context, action, first, _, _, _ in
                    if [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action), let first {
                        context?.assumingMemoryBound(to: Set<String>.self).pointee.insert(String(cString: first))
                    }
                    return SQLITE_OK
                },
                pointer
            )
            defer { sqlite3_set_authorizer(handle, nil, nil) }
            _ = try prepare(sql)
        }
        return tables
    }
}

/// The context of the authorizer while it is set.
private struct AccessRequest {
    let access: SQLiteAccess
    /// Whether the name of a view can only be that of a view.
    let trustsViews: Bool

    /// Whether a statement contains the keyword without which it cannot define a common table expression. No comment
    /// or quote can divide a keyword, so a search of the bytes finds every one.
    static func mayDefineTables(_ sql: String) -> Bool {
        let keyword = Array("with".utf8)
        let bytes = sql.utf8.map { $0 | 0x20 }
        return bytes.indices.contains { bytes[$0...].starts(with: keyword) }
    }
}
