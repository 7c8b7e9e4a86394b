// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// The reason why a query cannot be read. Names of tables and fields are untrusted text.
package enum ReadError: Error, Hashable, Sendable {
    /// The server does not do this step, and `ReadOptions.serverOnly` forbids to do it here.
    case notOnServer(ReadNote)
    /// More rows would have to be read than `ReadOptions.maximumRows`.
    case tooManyRows(table: String, limit: Int)
    /// The where clause of the user must be evaluated by the server, which takes none.
    case whereNotTaken(table: String)
    /// A where clause of the user (`filter`), or a statement for the server (`sql`), has text beyond ASCII that it would
    /// compare with 8-bit text, which the server converts by a page that is not known here. `codePage` is the name of the
    /// page that the user has set.
    case textForServer(ReadStep, codePage: String)
    /// The table has no such field.
    case unknownField(table: String, field: UnknownName)
    /// Several fields differ from the name only in case.
    case ambiguousField(table: String, field: String)
    /// The reply ended without the table, or with another one.
    case missingTable(String)
    /// The columns of a page differ from those of the first one.
    case changedColumns(table: String)
    /// The table has no field by which it can be read page by page.
    case noKey(table: String)
}
