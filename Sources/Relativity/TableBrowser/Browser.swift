// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import Screens

/// The state of `relctl table browse`: what the screen shows, and what each key does. A plain value: it reads and
/// applies nothing itself, but returns actions.
package struct Browser: Sendable {
    /// What the user has chosen on the command line.
    package struct Settings: Sendable {
        /// The name of the server.
        package var server: String
        /// The table that is shown first; nil for the list of tables.
        package var table: String?
        /// Whether edits are refused.
        package var isReadOnly = false
        /// The condition of the first table.
        package var predicate: Predicate?
        /// The order of the first table.
        package var order: [FieldOrder] = []
        /// The maximum number of rows of a table that are read.
        package var limit: Int?

        /// Creates settings for the list of tables.
        package init(server: String) {
            self.server = server
        }
    }

    private let settings: Settings
    private var size: ScreenSize

    /// Creates a browser that has read nothing yet.
    package init(_ settings: Settings, size: ScreenSize) {
        self.settings = settings
        self.size = size
    }

    /// Returns the first actions.
    package mutating func start() -> [BrowserAction] { [.readSchema] }

    /// Handles a key, or the result of an action.
    package mutating func handle(_ event: BrowserEvent) -> [BrowserAction] {
        switch event {
        case .resized(let size): self.size = size
        case .key(.text("q")): return [.end(.quit)]
        default: break
        }
        return []
    }

    /// The lines of the screen, exactly as many as it has.
    package var lines: [ScreenLine] { (0..<size.lines).map { _ in ScreenLine(columns: size.columns) } }
}

/// What happened outside of a browser.
package enum BrowserEvent: Sendable {
    case key(Key)
    case resized(ScreenSize)
    /// The schema was read; nil if the server does not show it. The names are those of all tables.
    case schema(DataSchema?, tables: [String])
    /// The rows of a table were read; `isCut` if it has more than the limit.
    case loaded(EditableTable, isCut: Bool)
    /// The changes were sent. The set has the rows that the server has now as far as its replies show them.
    case applied(ChangeSet, ApplyReport)
    /// The rows were written to a file.
    case exported(path: String, rows: Int)
    /// An action failed. The message is not escaped.
    case failed(BrowserAction, message: String)
}

/// What a browser wants to be done. One event follows each action but `end`.
package enum BrowserAction: Sendable {
    case readSchema
    /// Reads the rows of a table.
    case load(table: String, predicate: Predicate?, limit: Int?)
    /// Sends all pending changes of a set.
    case apply(ChangeSet, isForced: Bool)
    /// Writes rows to a new file; the format follows from its suffix: csv, tsv, json, jsonl, md, sqlite.
    case export(path: String, view: TableViewModel, fields: [String])
    case end(BrowserEnd)
}

/// How a browser ends.
package enum BrowserEnd: Hashable, Sendable {
    /// The user has quit.
    case quit
    /// The user wants the list of servers.
    case servers
}
