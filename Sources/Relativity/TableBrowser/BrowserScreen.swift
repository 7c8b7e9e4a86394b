// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens

/// The screen of a browser: the list of tables, rows or a panel, then a line for messages and one for keys.
struct BrowserScreen {
    let browser: Browser

    init(_ browser: Browser) {
        self.browser = browser
    }

    private var size: ScreenSize { browser.size }

    /// Exactly as many lines as the screen has.
    var lines: [ScreenLine] {
        switch browser.panels.last {
        case .pick(let list, _): return list.lines(size)
        case .predicate(let editor): return editor.lines(size)
        default: return size.filled(body, foot: [status, keys])
        }
    }

    /// The lines below a prompt or a question.
    private var body: [ScreenLine] {
        for case .text(let text) in browser.panels.reversed() { return text.lines(size) }
        if let form = browser.form { return FormScreen(browser: browser, form: form).lines }
        return browser.levels.isEmpty ? TablesScreen(browser: browser).lines : RowsScreen(browser: browser).lines
    }

    private var status: ScreenLine {
        ScreenLine(size) { line in
            if let message = browser.message {
                line.put(message.text, at: 0, message.tone)
            } else if case .prompt(let prompt) = browser.panels.last {
                if let problem = prompt.problem { line.put(problem, at: 0, .warning) }
            } else if !browser.runningWords.isEmpty {
                let escape = browser.rowsArrived > 0 ? "Escape keeps these" : "Escape cancels"
                line.put(Printable(again: "\(browser.runningWords) …  \(escape)"), at: 0, .faint)
            } else if browser.panels.isEmpty, browser.form == nil, let row = selectedRow {
                if let failure = row.failure {
                    line.put(failure, at: 0, .bad)
                } else if let field = browser.levels[browser.focus].field {
                    let cell = Grid.Cell(row[browser.levels[browser.focus].column], field.type)
                    line.put(Printable(again: "\(Printable(field.name)): \(cell.text)"), at: 0, .faint)
                }
            }
        }
    }

    private var selectedRow: EditableRow? {
        guard browser.levels.indices.contains(browser.focus) else { return nil }
        let view = browser.levels[browser.focus].view
        return view.selection.flatMap { view.table.row($0) }
    }

    private var keys: ScreenLine {
        switch browser.panels.last {
        case .prompt(let prompt):
            return ScreenLine(size) { line in
                let label = Printable(again: prompt.label + ": ")
                line.put(label, at: 0, .title)
                line.put(prompt.editor, at: Printable.width(of: label.description), size)
            }
        case .question(let question):
            return ScreenLine(size) { $0.fill(Printable(again: words(for: question)), .chosen) }
        case .text(let text): return .keys(keys(of: text.kind), size)
        case .pick, .predicate: return ScreenLine(size)
        case nil:
            if let form = browser.form {
                let leave = form.isNew ? [KeyName("s", "save"), KeyName("u", "drop")] : [KeyName("u", "revert")]
                let others = [KeyName("d", "delete"), KeyName("left/right", "row"), KeyName("?", "help")]
                let edit = [KeyName("Esc", "back"), KeyName("e", "edit"), KeyName("n", "NULL")]
                return .keys(edit + leave + others, size)
            }
            guard browser.levels.isEmpty else { return .keys(Self.rowKeys, size) }
            let leave = KeyName("Esc", browser.settings.hasServerList ? "servers" : "quit")
            return .keys([KeyName("Enter", "open"), leave] + Self.tableKeys, size)
        }
    }

    private static let tableKeys = [
        KeyName("type", "to filter"), KeyName("F1", "help"), KeyName("F5", "reload"), KeyName("F9", "apply"),
    ]
    private static let rowKeys = [
        KeyName("q", "quit"), KeyName("?", "help"), KeyName("Esc", "back"), KeyName("/", "find"), KeyName("s", "sort"),
        KeyName("e", "edit"), KeyName("a", "apply"), KeyName("m", "details"), KeyName("f", "filter"),
        KeyName("i", "insert"), KeyName("d", "delete"), KeyName("u", "undo"), KeyName("w", "write"),
        KeyName("r", "reload"),
    ]

    private func keys(of kind: TextPanel.Kind) -> [KeyName] {
        switch kind {
        case .help, .message: [KeyName("Esc", "back")]
        case .review: [KeyName("y", "send the changes"), KeyName("n", "back")]
        case .result(let hasConflicts, let hasPending):
            [KeyName("Esc", "back")] + (hasConflicts ? [KeyName("f", "overwrite")] : [])
                + (hasPending ? [KeyName("r", "review the rest")] : [])
        case .undecided(let verdicts):
            [KeyName("v", "compare"), KeyName("p", "pending again"), KeyName("k", "was applied"), KeyName("d", "drop")]
                + (verdicts.isEmpty ? [] : [KeyName("t", "as compared")]) + [KeyName("Esc", "back")]
        }
    }

    private func words(for question: Question) -> String {
        switch question {
        case .leave:
            browser.store.hasChanges
                ? "drop \(Counted(browser.store.changeCount, "pending change"))?  y leave  n stay"
                : "drop the new row?  y leave  n stay"
        case .overwrite: "overwrite the rows that others changed?  y send  n back"
        case .replace(let path): "\(Printable(path)) exists: replace it?  y replace  n back"
        case .dropRow(let reason): "drop the new row?  y drop  n edit  (\(reason))"
        }
    }
}
