// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import DataAccess
import Endpoints
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
        package var predicate: Expression?
        /// The order of the first table.
        package var order: [FieldOrder] = []
        /// The maximum number of rows of a table that are read.
        package var limit: Int?
        /// A sentence that is shown when the first rows or tables are; nil for none. Untrusted parts are escaped.
        package var note: String?
        /// The colours of rows. Rules whose fields a table does not have are not applied to it.
        package var colors: [ColorRule] = []

        /// Creates settings for the list of tables.
        package init(server: String) {
            self.server = server
        }
    }

    /// The reason for a reading of rows.
    enum Reading: Sendable {
        /// To show the table.
        case open(FirstView)
        /// To show the details of the rows of the last level.
        case details(KeyReference)
        /// To read a shown table again; `isFiltered` if the server gets the conditions of the user.
        case again(isFiltered: Bool)
        /// To show the names of its rows for a field of the form.
        case names(field: Int)
    }

    /// The order of a table when it is opened.
    struct FirstView: Sendable {
        var order: [FieldOrder] = []
    }

    /// The action that is running.
    struct Running: Sendable {
        let action: BrowserAction
        var reading: Reading?
        /// The number of rows that have arrived.
        var rows = 0
    }

    let settings: Settings
    var size: ScreenSize
    var schema: DataSchema?
    var relations: TableRelations?
    var tables = TableList()
    var store = TableStore()
    /// The tables that are open: one, then its details, and theirs. Empty for the list of tables.
    var levels: [RowsLevel] = []
    /// The index of the level with the cursor: the last or the last but one.
    var focus = 0
    /// The form that is shown over the rows.
    var form: RecordForm?
    /// What is shown over the list of tables, the rows or the form; the last one takes the keys.
    var panels: [Panel] = []
    var running: Running?
    var message: Message?
    private var hasShownNote = false
    /// The numbers of details for the marks of rows.
    var counts: [KeyReference: MarkCounts] = [:]
    /// The colours of the tables that were shown, by name.
    var rules: [String: ColorRules] = [:]

    /// Creates a browser that has read nothing yet.
    package init(_ settings: Settings, size: ScreenSize) {
        self.settings = settings
        self.size = size
    }

    /// Returns the first actions.
    package mutating func start() -> [BrowserAction] { run(.readSchema) }

    /// Handles a key, or the result of an action.
    package mutating func handle(_ event: BrowserEvent) -> [BrowserAction] {
        defer {
            settle()
            showNote()
        }
        switch event {
        case .resized(let size): self.size = size
        case .key(let key):
            message = nil
            return press(key)
        case .schema(let schema, let names):
            running = nil
            return take(schema, names)
        case .arriving(let rows, let table):
            running?.rows = rows
            if let table { show(arriving: table) }
        case .loaded(let table, let isCut): take(table, isCut: isCut)
        case .applied(let changes, let result): take(changes, result)
        case .checked(let verdicts):
            running = nil
            showUndecided(verdicts)
        case .exported(let path, let rows):
            running = nil
            say("\(Counted(rows, "row")) written to \(Printable(path))", .good)
        case .exists(let path):
            running = nil
            panels.append(.question(.replace(path: path)))
        case .failed(_, let reason):
            let reading = running?.reading
            running = nil
            if case .names(let field) = reading { namesRead(for: field, isComplete: false) }
            fail(Printable(again: reason))
        }
        return []
    }

    /// The lines of the screen, exactly as many as it has.
    package var lines: [ScreenLine] { BrowserScreen(self).lines }
}

// MARK: Messages and actions

extension Browser {
    /// A sentence in the line for messages.
    struct Message: Sendable {
        let text: Printable
        let tone: ScreenStyle
    }

    /// - Parameter text: untrusted parts are escaped.
    mutating func say(_ text: String, _ tone: ScreenStyle = .plain) {
        message = Message(text: Printable(again: text), tone: tone)
    }

    /// Shows the note of the settings as soon as nothing else is to be said.
    private mutating func showNote() {
        guard let note = settings.note, !hasShownNote, running == nil, message == nil else { return }
        hasShownNote = true
        say(note, .faint)
    }

    /// Shows the reason of a failure, in a box if it is long.
    mutating func fail(_ reason: Printable) {
        message = Message(text: reason, tone: .bad)
        if Printable.width(of: reason.description) > size.columns {
            panels.append(.text(TextPanel("message", [TextPanel.Line(reason)], .message)))
        }
    }

    /// Starts an action, unless one is running.
    mutating func run(_ action: BrowserAction, _ reading: Reading? = nil) -> [BrowserAction] {
        guard running == nil else {
            say("wait, or press Escape: \(runningWords)", .warning)
            return []
        }
        running = Running(action: action, reading: reading)
        return [action]
    }

    /// What the running action does; empty if there is none.
    var runningWords: String {
        switch running?.action {
        case .readSchema: "reading the schema"
        case .load(let table, _, _):
            "reading \(Printable(table))" + (rowsArrived > 0 ? ": \(Counted(rowsArrived, "row"))" : "")
        case .apply: "applying changes"
        case .check: "comparing with the server"
        case .export(let path, _, _, _): "writing \(Printable(path))"
        case .cancel, .end, nil: ""
        }
    }

    /// The number of rows of the running reading that have arrived.
    var rowsArrived: Int { running?.rows ?? 0 }

    /// Whether a table is being read to be shown. Its rows are shown as they arrive, and cannot be edited before the end.
    var isOpening: Bool { if case .open = running?.reading { true } else { false } }

    /// Whether changes are at the server, so that none can be made here.
    var isApplying: Bool {
        switch running?.action {
        case .apply, .check: true
        default: false
        }
    }
}

// MARK: Keys

extension Browser {
    private mutating func press(_ key: Key) -> [BrowserAction] {
        if key == .control("c") {
            // The second Ctrl-C does not ask.
            if case .question(.leave(let end)) = panels.last { return [.end(end)] }
            return leave(.quit)
        }
        if let panel = panels.last { return press(key, panel) }
        if let form { return press(key, form) }
        if key == .escape, running != nil { return [.cancel] }
        // What is typed for rows must not act on the list of tables.
        if isOpening, levels.isEmpty { return [] }
        return levels.isEmpty ? pressInTables(key) : pressInRows(key)
    }

    /// Ends, after a question if there are pending changes.
    mutating func leave(_ end: BrowserEnd) -> [BrowserAction] {
        guard store.hasChanges || hasNewRow else { return [.end(end)] }
        panels.append(.question(.leave(end)))
        return []
    }

    private mutating func press(_ key: Key, _ panel: Panel) -> [BrowserAction] {
        switch panel {
        case .question(let question): return press(key, question)
        case .prompt(let prompt): return press(key, prompt)
        case .text(let text): return press(key, text)
        case .pick(let list, let field): return press(key, list, field)
        case .predicate(let editor): return press(key, editor)
        }
    }

    /// Replaces the panel that takes the keys.
    mutating func replacePanel(_ panel: Panel) {
        if !panels.isEmpty { panels[panels.count - 1] = panel }
    }

    private mutating func press(_ key: Key, _ question: Question) -> [BrowserAction] {
        switch key {
        case .text("y"), .text("Y"):
            panels.removeLast()
            return agree(to: question)
        case .text("n"), .text("N"), .escape, .enter, .text("q"): panels.removeLast()
        default: break
        }
        return []
    }

    private mutating func agree(to question: Question) -> [BrowserAction] {
        switch question {
        case .leave(let end): return [.end(end)]
        case .overwrite: return apply(isForced: true)
        case .dropRow: dropNewRow()
        case .replace(let path): return export(to: path, replaces: true)
        }
        return []
    }
}

/// What is shown over the tables, the rows or the form.
enum Panel: Sendable {
    case question(Question)
    case prompt(Prompt)
    case text(TextPanel)
    /// The names of the master's rows, or the values, for a field of the form.
    case pick(PickList, FieldChoice)
    case predicate(PredicateEditor)
}

/// A question that is answered with y or n.
enum Question: Sendable {
    /// Whether to drop the pending changes.
    case leave(BrowserEnd)
    /// Whether to overwrite the rows that others changed.
    case overwrite
    /// Whether to drop the new row of the form, which cannot be saved for this reason.
    case dropRow(reason: Printable)
    /// Whether to replace the file, or the table of the database, at this path.
    case replace(path: String)
}
