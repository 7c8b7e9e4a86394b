// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The reason why tables cannot be exported to a file, in addition to `FormatError` and `SQLiteError`.
package enum ExportError: Error, Hashable {
    /// A system call failed.
    case system(call: String, path: String, errno: Int32)
    /// The file exists and was not to be replaced.
    case exists(path: String)
    /// The destination has a content that is no SQLite database; it is not replaced.
    case notDatabase(path: String)
    /// The destination exists and is no regular file.
    case notRegular(path: String, FileKind)
    /// A file has the name of that of an interrupted export and is none; it is not changed.
    case notPart(path: String)
    /// The destination is not the one that an interrupted export would be added to.
    case changed(path: String)
    /// The database has a table that the export does not have and would remove.
    case otherTable(path: String, table: String)
    /// Another process writes an export to this file, or changes the database.
    case busy(path: String)
    /// Rows can only be brought up to date in a table with a primary key.
    case noKey(table: String)
    /// The table in the file has other columns than the rows.
    case otherColumns(table: String)
    /// A column of the primary key is NULL. The row is counted from 1.
    case nullInKey(table: String, column: String, row: Int)
    /// The table is complete, or was exported already.
    case tableExists(String)
}
