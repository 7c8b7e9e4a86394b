// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// What SQLite refused, or this module before SQLite was asked.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
    /// SQLite's extended result code, as sqlite.org/rescode.html lists them.
    package let code: Int32
    /// In words. It may quote the statement or names of the schema, and is not safe to show as it is.
    package let message: String

    package var description: String { "\(message) (SQLite code \(code))" }

    /// The primary result code, which the extended one specialises.
    package var primaryCode: Int32 { code & 0xFF }

    /// Another connection held the lock for longer than the busy timeout. The same call may succeed later.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY }

    /// A constraint of the schema was violated, such as UNIQUE or NOT NULL.
    package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// The file is no database.
    package var isNotADatabase: Bool { primaryCode == SQLITE_NOTADB }
}

extension SQLiteError {
    /// The last call on a connection failed with `code`.
    ///
    /// - Parameter handle: nil if SQLite had no memory for a connection.
    init(_ code: Int32, of handle: OpaquePointer?) {
        let message = handle.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
        self.init(code: code, message: message.map { String(cString: $0) } ?? "unknown error")
    }

    static func misuse(_ message: String) -> SQLiteError { SQLiteError(code: SQLITE_MISUSE, message: message) }
}
