// SPDX-License-Identifier: Apache-2.0

import Screens

extension Browser {
    /// Shows the keys.
    mutating func showHelp() {
        let lines = Self.help.map { keys, meaning in
            guard !meaning.isEmpty else { return TextPanel.Line(keys, .title) }
            let gap = String(repeating: " ", count: max(2, 16 - keys.unicodeScalars.count))
            return TextPanel.Line(keys + gap + meaning, indent: 2)
        }
        panels.append(.text(TextPanel("Keys", lines, .help)))
    }

    /// The keys with their meanings. A heading has no meaning.
    private static let help = [
        ("Tables", ""),
        ("type", "show the tables with this text in their names"),
        ("Enter", "open the table"),
        ("F5, F9, F1", "read the list again, apply, help"),
        ("Rows", ""),
        ("arrows, h j k l", "move; Page up and down, Home, End, g and G, < and > too"),
        ("s, S", "sort by this field: up, down, off; S adds it to the order"),
        ("/", "find a text in all fields: part of a text, a number, a year, month or day"),
        ("f, F", "filter by the editor of conditions, or by a condition as text"),
        ("R", "read the table again with the filter; without one, all rows"),
        ("r", "read the table again"),
        ("m", "show the next table with details of the row, or none"),
        ("Tab", "go to the details and back"),
        ("Enter, e", "open the form of the row; e edits the field"),
        ("i, d, u", "insert a row, delete it, undo its change"),
        ("a", "show the pending changes, and apply them"),
        ("w", "write the rows that are shown to a file"),
        ("Escape", "show all rows, leave the details, leave the table; cancel a call"),
        ("q, Ctrl-C", "quit"),
        ("Form", ""),
        ("Enter, e", "edit the field: a list for true and false, and for fields with names"),
        ("n", "set NULL; Ctrl-N while a value is typed, Ctrl-O for a new line"),
        ("left, right", "the row before, the next row"),
        ("s, u, d", "save a new row, undo the change, delete the row"),
        ("Marks", ""),
        ("+ * - !", "new, changed, deleted, rejected by the server"),
        ("▸", "the row has details, if these were read"),
    ]
}
