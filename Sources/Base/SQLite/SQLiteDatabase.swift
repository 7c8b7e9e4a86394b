// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A connection to an SQLite database. The value owns the connection and closes it when it is destroyed.
///
/// Calls block, so make them on a worker thread. The type is not `Sendable`. To share a connection between threads,
/// wrap it in a `Lock`; the compiler then ensures that no statement escapes the lock.
///
/// ```swift
/// let database = try SQLiteDatabase(.file(path), .create)
/// try database.execute("CREATE TABLE Deps (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL)")
/// try database.run("INSERT INTO Deps (Name) VALUES (?)", ["Sales"])
/// let names = try database.rows("SELECT Name FROM Deps") { try $0.text(0) }
/// ```
package struct SQLiteDatabase: ~Copyable {
    /// The location of a database.
    package enum Location: Sendable, Hashable {
        case file(String)
        /// In memory; discarded with the connection.
        case memory
    }

    /// The access rights of a connection.
    package enum Access: Sendable, Hashable {
        case readOnly
        /// The file must exist.
        case readWrite
        /// The file is created if it does not exist.
        case create
    }

    /// The moment when a transaction acquires its lock.
    package enum TransactionKind: String, Sendable, Hashable {
        /// At the first read or write. For read-only transactions.
        case deferred = "BEGIN DEFERRED"
        /// Immediately, so that no later statement of the transaction fails as busy.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Configures SQLite before the first connection.
    private static let configured: Void = relq_configure()

    let handle: OpaquePointer
    private let budget: SQLiteBudget?

    /// Opens a connection. SQLite reads the file at the first statement, so a file that is not a database fails only
    /// then.
    ///
    /// - Parameters:
    ///   - busyTimeout: the maximum wait for another connection's lock, for each call.
    ///   - budget: what its statements may use; nil for no bounds. A budget is that of one connection. Its statements fail
    ///     soon after the task that runs them has been cancelled.
    package init(
        _ location: Location,
        _ access: Access,
        busyTimeout: Duration = .seconds(5),
        budget: SQLiteBudget? = nil
    ) throws(SQLiteError) {
        Self.configured
        var handle: OpaquePointer?
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let name = try location.name()
        var code = budget.counting {
            sqlite3_open_v2(name, &handle, flags, budget == nil ? nil : RELQ_BUDGET_FILES)
        }
        if code == SQLITE_OK { code = relq_harden(handle) }
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteError(code, of: handle)
            sqlite3_close_v2(handle)
            throw error
        }
        sqlite3_busy_timeout(handle, Int32(clamping: Int64(busyTimeout / .milliseconds(1))))
        self.handle = handle
        self.budget = budget
        budget?.watch(handle)
    }

    deinit {
        // A statement that still exists keeps the connection open.
        let handle = handle
        _ = budget.counting { sqlite3_close_v2(handle) }
    }

    /// Compiles one statement.
    ///
    /// - Throws: also if the text contains no statement or more than one.
    package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        let bytes = Array(sql.utf8)
        guard !bytes.contains(0) else { throw .misuse("a NUL in a statement") }
        var statement: OpaquePointer?
        var used = 0
        // Some versions ask while they compile, and the last step may be long ago.
        budget?.startTime()
        let code = bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            var end: UnsafePointer<CChar>?
            let code = budget.counting {
                sqlite3_prepare_v2(handle, start, Int32(clamping: bytes.count), &statement, &end)
            }
            if let start, let end { used = end - start }
            return code
        }
        try check(code)
        guard let statement else { throw .misuse("no statement") }
        let prepared = SQLiteStatement(owning: statement, budget: budget)
        guard bytes[used...].allSatisfy({ $0 <= 0x20 || $0 == UInt8(ascii: ";") }) else {
            throw .misuse("more than one statement")
        }
        return prepared
    }

    /// Runs any number of statements without parameters, and ignores their rows.
    package func execute(_ script: String) throws(SQLiteError) {
        guard !script.utf8.contains(0) else { throw .misuse("a NUL in a statement") }
        budget?.startTime()
        try check(budget.counting { sqlite3_exec(handle, script, nil, nil, nil) })
    }

    /// Runs one statement to its end.
    ///
    /// - Returns: the same as `SQLiteStatement.run()`.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        var statement = try prepare(sql)
        try statement.bind(values)
        return try statement.run()
    }

    /// Reads all rows of one statement. For many rows use `prepare(_:)` and `SQLiteStatement.step()`.
    ///
    /// - Parameter read: converts the current row of the statement to a value.
    /// - Throws: `SQLiteError`, or the error of `read`.
    package func rows<Row>(
        _ sql: String,
        _ values: [SQLiteValue] = [],
        _ read: (borrowing SQLiteStatement) throws -> Row
    ) throws -> [Row] {
        var statement = try prepare(sql)
        try statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(try read(statement)) }
        return rows
    }

    /// Runs `body` as one transaction. It is committed when `body` returns and rolled back when `body` throws.
    /// Transactions cannot be nested.
    ///
    /// - Throws: the error of `body`, or `SQLiteError`.
    package func transaction<Result>(
        _ kind: TransactionKind = .immediate,
        _ body: (borrowing SQLiteDatabase) throws -> Result
    ) throws -> Result {
        try execute(kind.rawValue)
        do {
            let result = try body(self)
            try execute("COMMIT")
            return result
        } catch {
            // Some errors have already rolled back the transaction.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Adds a virtual table to the schema, also if its module is unknown here. The next connection to the file has it.
    ///
    /// - Parameter sql: its CREATE VIRTUAL TABLE statement, which is not checked.
    package func addVirtualTable(_ name: String, _ sql: String) throws(SQLiteError) {
        try check(relq_defend(handle, 0))
        defer { _ = relq_defend(handle, 1) }
        try execute("PRAGMA writable_schema = ON")
        try run("INSERT INTO sqlite_schema VALUES ('table', ?1, ?1, 0, ?2)", [.text(name), .text(sql)])
        try execute("PRAGMA writable_schema = OFF")
    }

    /// Limits the length of texts, blobs and rows. Statements that exceed it fail: see `SQLiteError.isTooBig`.
    package func limitValues(toBytes count: Int) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: count))
        // The search for a pattern takes its length times that of the text, and cannot be interrupted.
        sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)
    }

    /// Makes ATTACH and VACUUM fail. Both can create files, and SQLite never asks an authorizer about VACUUM.
    package func forbidAttaching() {
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(code, of: handle) }
    }
}

extension SQLiteDatabase.Access {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}

extension SQLiteDatabase.Location {
    /// Returns the name for SQLite. A relative path must not look like a URI or a special name.
    fileprivate func name() throws(SQLiteError) -> String {
        switch self {
        case .memory: return ":memory:"
        case .file(let path):
            guard !path.isEmpty, !path.utf8.contains(0) else { throw .misuse("not a path") }
            return path.hasPrefix("/") ? path : "./" + path
        }
    }
}

/// A value as SQLite stores it: a parameter of a statement, or the content of a column.
package enum SQLiteValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .real(value) }
    package init(stringLiteral value: String) { self = .text(value) }
}

/// An error that SQLite reported, or that this module found before calling SQLite.
package struct SQLiteError: Error, Hashable, CustomStringConvertible {
    /// SQLite's extended result code, see sqlite.org/rescode.html.
    package let code: Int32
    /// A description. It may quote the statement or names of the schema, so escape it before printing it.
    package let message: String

    package var description: String { "\(message) (SQLite code \(code))" }

    /// The primary result code, which is part of the extended one.
    private var primaryCode: Int32 { code & 0xFF }

    /// Whether another connection held the lock for longer than the busy timeout. A retry may succeed.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY }

    /// Whether a constraint of the schema was violated, such as UNIQUE or NOT NULL.
    package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    /// Whether a text, a blob or a row was longer than the limit.
    package var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }
}

extension SQLiteError {
    /// Creates the error of the last call on a connection, which failed with `code`.
    ///
    /// - Parameter handle: nil if SQLite had no memory for a connection.
    init(_ code: Int32, of handle: OpaquePointer?) {
        let message = handle.flatMap(sqlite3_errmsg) ?? sqlite3_errstr(code)
        self.init(code: code, message: message.map { String(cString: $0) } ?? "unknown error")
    }

    static func misuse(_ message: String) -> SQLiteError { SQLiteError(code: SQLITE_MISUSE, message: message) }
}
