// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A compiled statement, which can be run many times. The value owns the statement and keeps the connection open.
package struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer
    private let budget: SQLiteBudget?
    private var hasRow = false

    init(owning handle: OpaquePointer, budget: SQLiteBudget?) {
        self.handle = handle
        self.budget = budget
    }

    deinit {
        let handle = handle
        _ = budget.counting { sqlite3_finalize(handle) }
    }

    /// The number of parameters.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Returns the name of a parameter with its prefix, such as `:Name`; nil if it has none or does not exist.
    ///
    /// - Parameter index: counted from 0.
    package func parameterName(_ index: Int) -> String? {
        guard index >= 0, let place = Int32(exactly: index + 1) else { return nil }
        return sqlite3_bind_parameter_name(handle, place).map { String(cString: $0) }
    }

    /// Whether the statement changes nothing in the database.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Sets all parameters, in order, and resets the statement so that it can run.
    package mutating func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        guard values.count == parameterCount else {
            throw .misuse("\(values.count) values for \(parameterCount) parameters")
        }
        reset()
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        let code: Int32
        // A binding frees the memory of the last one.
        switch value {
        case .null: code = budget.counting { sqlite3_bind_null(handle, index) }
        case .integer(let value): code = budget.counting { sqlite3_bind_int64(handle, index, value) }
        case .real(let value): code = budget.counting { sqlite3_bind_double(handle, index, value) }
        case .text(var text):
            code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    budget.counting { relq_bind_text(handle, index, bytes.baseAddress, UInt64(bytes.count)) }
                }
            }
        case .blob(let bytes):
            code = bytes.withUnsafeBytes { bytes in
                budget.counting { relq_bind_blob(handle, index, bytes.baseAddress, UInt64(bytes.count)) }
            }
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    // Single parameters, counted from 0. Set them between two runs. SQLite copies the bytes.

    /// Sets a parameter.
    package mutating func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
        try bind(value, at: Int32(clamping: index + 1))
    }

    /// Sets a parameter to NULL.
    package mutating func bindNull(at index: Int) throws(SQLiteError) {
        try check(budget.counting { sqlite3_bind_null(handle, Int32(clamping: index + 1)) })
    }

    /// Sets a parameter to an integer.
    package mutating func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
        try check(budget.counting { sqlite3_bind_int64(handle, Int32(clamping: index + 1), value) })
    }

    /// Sets a parameter to a number. NaN becomes NULL.
    package mutating func bind(_ value: Double, at index: Int) throws(SQLiteError) {
        try check(budget.counting { sqlite3_bind_double(handle, Int32(clamping: index + 1), value) })
    }

    /// Sets a parameter to text, which must be UTF-8.
    package mutating func bind(text: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        try check(budget.counting { relq_bind_text(handle, Int32(clamping: index + 1), start, UInt64(text.count)) })
    }

    /// Sets a parameter to bytes.
    package mutating func bind(blob: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
        try check(
            budget.counting { relq_bind_blob(handle, Int32(clamping: index + 1), blob.baseAddress, UInt64(blob.count)) }
        )
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Advances to the next row.
    ///
    /// - Returns: false after the last row. The following step starts a new run.
    package mutating func step() throws(SQLiteError) -> Bool {
        hasRow = false
        budget?.startStep()
        switch budget.counting({ sqlite3_step(handle) }) {
        case SQLITE_ROW: hasRow = true
        case SQLITE_DONE: reset()
        case let code:
            let failure = failure(code)
            reset()
            throw failure
        }
        return hasRow
    }

    /// Runs the statement to its end and ignores its rows.
    ///
    /// - Returns: the number of rows that an INSERT, UPDATE or DELETE has changed; 0 for a statement that only reads.
    ///   Undefined for other statements.
    @discardableResult
    package mutating func run() throws(SQLiteError) -> Int {
        while try step() {}
        return isReadOnly ? 0 : Int(sqlite3_changes64(sqlite3_db_handle(handle)))
    }

    /// Aborts a run and releases its locks. Parameters keep their values.
    package mutating func reset() {
        hasRow = false
        _ = budget.counting { sqlite3_reset(handle) }
    }

    private func failure(_ code: Int32) -> SQLiteError { SQLiteError(code, of: sqlite3_db_handle(handle)) }
}

// Access to the current row.
extension SQLiteStatement {
    /// The number of columns in each row; 0 for a statement without rows.
    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Returns the name of a column; nil if the column does not exist.
    ///
    /// - Parameter index: counted from 0.
    package func columnName(_ index: Int) -> String? {
        Int32(exactly: index).flatMap { sqlite3_column_name(handle, $0) }.map { String(cString: $0) }
    }

    /// Returns the table and the column that a column's values come from; nil for the result of an expression, and if
    /// the column does not exist.
    ///
    /// - Parameter index: counted from 0.
    package func origin(_ index: Int) -> (table: String, column: String)? {
        guard (0..<columnCount).contains(index), let place = Int32(exactly: index),
            let table = sqlite3_column_table_name(handle, place),
            let column = sqlite3_column_origin_name(handle, place)
        else { return nil }
        return (String(cString: table), String(cString: column))
    }

    /// Returns the value of a column, of any type.
    package func value(_ index: Int) throws(SQLiteError) -> SQLiteValue {
        switch try cell(index) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .blob(Array(bytes))
        }
    }

    /// Returns the value of a column without a copy of its bytes.
    package func cell(_ index: Int) throws(SQLiteError) -> SQLiteCell {
        let column = try column(index)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: return .text(bytes(sqlite3_column_text(handle, column), column))
        case SQLITE_BLOB: return .blob(bytes(sqlite3_column_blob(handle, column), column))
        default: return .null
        }
    }

    /// Returns the integer in a column, nil for NULL.
    ///
    /// - Throws: if the value has another type. SQLite's conversions are deliberately not used.
    package func integer(_ index: Int) throws(SQLiteError) -> Int64? {
        switch try value(index) {
        case .integer(let value): value
        case .null: nil
        default: throw mismatch(index, "an integer")
        }
    }

    /// Returns the number in a column, nil for NULL. SQLite may store an integral real as an integer.
    package func real(_ index: Int) throws(SQLiteError) -> Double? {
        switch try value(index) {
        case .real(let value): value
        case .integer(let value): Double(value)
        case .null: nil
        default: throw mismatch(index, "a number")
        }
    }

    /// Returns the text in a column, nil for NULL. Invalid UTF-8 is replaced.
    package func text(_ index: Int) throws(SQLiteError) -> String? {
        switch try value(index) {
        case .text(let value): value
        case .null: nil
        default: throw mismatch(index, "a text")
        }
    }

    /// Returns the bytes in a column, nil for NULL.
    package func blob(_ index: Int) throws(SQLiteError) -> [UInt8]? {
        switch try value(index) {
        case .blob(let value): value
        case .null: nil
        default: throw mismatch(index, "a blob")
        }
    }

    private func column(_ index: Int) throws(SQLiteError) -> Int32 {
        guard hasRow else { throw .misuse("no row") }
        guard (0..<columnCount).contains(index) else { throw .misuse("no column \(index)") }
        return Int32(index)
    }

    /// Valid until the next call on the column. `sqlite3_column_bytes` must be called after the bytes were fetched.
    private func bytes(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
    }

    private func mismatch(_ index: Int, _ expected: String) -> SQLiteError {
        SQLiteError(code: SQLITE_MISMATCH, message: "column \(columnName(index) ?? "\(index)") is not \(expected)")
    }
}

/// The value of a column of the current row. Its bytes belong to the statement: they are valid until the next call that
/// changes or destroys it.
package enum SQLiteCell {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8, which a damaged file may violate.
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    /// The bytes of a text or a blob; 0 for other values.
    package var byteCount: Int {
        switch self {
        case .text(let bytes), .blob(let bytes): bytes.count
        default: 0
        }
    }
}
