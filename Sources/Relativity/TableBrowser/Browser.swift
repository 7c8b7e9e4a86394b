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
        /// Whether the user can return to a list of servers.
        package var hasServerList = false
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
