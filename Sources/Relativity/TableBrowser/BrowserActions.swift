// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import DataAccess
package import Screens

/// What happened outside of a browser.
package enum BrowserEvent: Sendable {
    /// A key. Ctrl-C is `.control("c")`, also if it comes as a signal.
    case key(Key)
    case resized(ScreenSize)
    /// The schema was read; nil if the server does not show it. The names are those of all tables.
    case schema(DataSchema?, tables: [String])
    /// Rows of the table that is being read have arrived: their number, and sometimes a table of them, which cannot be
    /// edited.
    case arriving(rows: Int, EditableTable?)
    /// The rows of a table were read; `isCut` if it has more than the limit.
    case loaded(EditableTable, isCut: Bool)
    /// The changes were sent. The set has the rows that the server has now as far as its replies show them.
    case applied(ChangeSet, EditResult)
    /// The rows of a call of unknown outcome were compared with the server's.
    case checked([OutcomeVerdict])
    /// The rows were written to a file.
    case exported(path: String, rows: Int)
    /// No rows were written, because there is a file, which the user did not agree to replace.
    case exists(path: String)
    /// An action failed, or was cancelled. Untrusted parts of the message are escaped.
    case failed(BrowserAction, message: String)
}

/// What a browser wants to be done. One event follows each action but `cancel` and `end`. At most one action is running,
/// apart from these two.
package enum BrowserAction: Sendable {
    case readSchema
    /// Reads the rows of a table.
    case load(table: String, predicate: Expression?, limit: Int?)
    /// Sends all pending changes of a set.
    case apply(ChangeSet, isForced: Bool)
    /// Compares the changes of a set, whose outcome is unknown, with the rows that the server has.
    case check(ChangeSet)
    /// Writes rows to a file, whose name shows the format (`NamedFormat`).
    case export(path: String, view: TableViewModel, fields: [String], replaces: Bool)
    /// Cancels the running action, which fails then, or ends with its event if it was quicker. A reading ends with the rows
    /// that have arrived. The outcome of an apply
    /// that is cancelled after its call was sent is unknown: `applied` with a set in this phase.
    case cancel
    case end(BrowserEnd)
}

/// How a browser ends.
package enum BrowserEnd: Hashable, Sendable {
    /// The user has quit.
    case quit
    /// The user wants the list of servers.
    case servers
}
