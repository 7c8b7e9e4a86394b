// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens

/// The keys in the rows of a table.
extension Browser {
    mutating func pressInRows(_ key: Key) -> [BrowserAction] {
        if move(key) { return [] }
        switch key {
        case .enter: return openForm(editing: nil)
        case .tab, .backTab:
            if levels.count > 1 {
                focus = focus == upper ? levels.count - 1 : upper
            } else {
                return cycleDetails()
            }
        case .click(let column, let line): click(column, line)
        case .escape: return back()
        case .delete: remove()
        case .insert: insert()
        case .control("r"), .function(5): return reload(sendsFilter: false)
        case .function(1): showHelp()
        case .text(let letter): return press(letter)
        default: break
        }
        return []
    }

    private mutating func press(_ letter: Unicode.Scalar) -> [BrowserAction] {
        switch letter {
        case "s": levels[focus].sort(isAdded: false)
        case "S": levels[focus].sort(isAdded: true)
        case "/": startSearch()
        case "f":
            let (level, names) = (levels[focus], names(of: levels[focus].view.table))
            let editor = PredicateEditor(level.predicate, table: level.name, fields: level.fields, names: names)
            panels.append(.predicate(editor))
        case "F":
            let text = levels[focus].predicate.map { "\($0)" } ?? ""
            panels.append(.prompt(Prompt(.predicate, "filter", text: text)))
        case "r": return reload(sendsFilter: false)
        case "R": return reload(sendsFilter: true)
        case "e": return openForm(editing: levels[focus].column)
        case "i": insert()
        case "d": remove()
        case "u": revert()
        case "a": reviewChanges()
        case "m": return cycleDetails()
        case "w": panels.append(.prompt(Prompt(.export, "write to")))
        case "<": levels[focus].column = 0
        case ">": levels[focus].move(columns: levels[focus].fields.count)
        case "?": showHelp()
        case "q": return leave(.quit)
        default: break
        }
        return []
    }

    /// - Returns: false if the key does not move the cursor.
    private mutating func move(_ key: Key) -> Bool {
        if let steps = key.steps(page: max(1, area(of: focus).rows - 1), letters: .all) {
            levels[focus].move(rows: steps)
            return true
        }
        switch key {
        case .left, .text("h"): levels[focus].move(columns: -1)
        case .right, .text("l"): levels[focus].move(columns: 1)
        default: return false
        }
        return true
    }

    /// Selects the row and the column that are clicked. A click on a heading sorts.
    private mutating func click(_ column: Int, _ line: Int) {
        for index in levels.indices.suffix(2) {
            let area = area(of: index)
            guard line >= area.line, line <= area.line + area.rows else { continue }
            let grid = Grid(levels[index], rows: area.rows, width: size.columns)
            focus = index
            if let field = grid.field(at: column) { levels[index].column = field }
            if line == area.line {
                levels[index].sort(isAdded: false)
            } else if line - area.line <= grid.rows.count {
                levels[index].view.select(levels[index].firstRow + line - area.line - 1)
            }
        }
    }

    /// Goes back by one step: shows all rows, then leaves the details, then the table.
    private mutating func back() -> [BrowserAction] {
        if levels[focus].isFiltered {
            try? levels[focus].filter(link: levels[focus].link, search: "", predicate: nil)
        } else if focus > upper {
            focus = upper
        } else if levels.count > 1 {
            levels.removeLast()
        } else {
            levels = []
            if let place = tables.shown.firstIndex(of: tables.choice ?? "") { tables.select(place, height: tableLines) }
        }
        return []
    }

    // MARK: Reading

    /// Reads the rows of the focused level again. Pending changes stay.
    ///
    /// - Parameter sendsFilter: whether the server gets the conditions of the user in place of those that it got before.
    mutating func reload(sendsFilter: Bool) -> [BrowserAction] {
        let level = levels[focus]
        guard let entry = store[level.name] else { return [] }
        guard store.undecided == nil else {
            say("the outcome of the last apply is unknown: press a", .warning)
            return []
        }
        if !sendsFilter, focus > 0, !entry.isComplete, let link = level.link {
            return run(.load(table: level.name, predicate: link, limit: settings.limit), .again(isFiltered: false))
        }
        let predicate = sendsFilter ? level.userFilter : entry.predicate
        let reading = Reading.again(isFiltered: sendsFilter)
        return run(.load(table: level.name, predicate: predicate, limit: settings.limit), reading)
    }

    /// The names for the fields of a table, from the masters that were read.
    func names(of table: EditableTable) -> [String: [NamedKey]] {
        guard let relations else { return [:] }
        let masters = relations.lookups(of: table.name).compactMap { store[$0.master] }.filter(\.isComplete)
        let named = masters.map { ($0.table.name, $0.table) }
        return relations.names(for: table, masters: Dictionary(named) { first, _ in first })
    }

    mutating func press(_ key: Key, _ editor: PredicateEditor) -> [BrowserAction] {
        var editor = editor
        switch editor.handle(key, size) {
        case .edited, .refused: replacePanel(.predicate(editor))
        case .cancelled: panels.removeLast()
        case .accepted(let predicate):
            panels.removeLast()
            filter(predicate)
            if predicate != nil { say("R reads the table again with this filter", .faint) }
        }
        return []
    }

    // MARK: Edits

    private mutating func remove() {
        guard let row = levels[focus].view.selection else { return }
        let state = levels[focus].view.table.row(row)?.state
        guard state != .removed else { return say("the row is deleted: u restores it", .warning) }
        drop { view throws(EditError) in try view.remove() }
    }

    private mutating func revert() {
        guard let row = levels[focus].view.selection else { return }
        let state = levels[focus].view.table.row(row)?.state
        guard state != .unchanged else { return say("the row has no pending change") }
        drop { view throws(EditError) in try view.revert() }
    }

    /// Removes or reverts a row, unless it is a new one that pending rows refer to: they would wait for its key forever.
    mutating func drop(_ body: (inout TableViewModel) throws(EditError) -> Void) {
        let (levels, store) = (levels, store)
        edit(body)
        let before = store.changeSet(isComplete: true)
        let after = self.store.changeSet(isComplete: true)
        guard let before, let orphans = after?.orphans(since: before), !orphans.isEmpty else { return }
        (self.levels, self.store) = (levels, store)
        say("pending rows of \(Printable(orphans[0].table)) refer to this one: drop them first", .warning)
    }

    /// Starts a new row, and opens its form. A detail refers to the selected row of its master.
    private mutating func insert() {
        var values: [String: DataValue] = [:]
        if focus > 0, let reference = levels[focus].reference {
            let master = levels[focus - 1].view
            guard let row = master.selection.flatMap({ master.table.row($0) }), row.state != .removed else {
                return say("there is no row that a new one could belong to", .warning)
            }
            for (detail, field) in reference.fields { values[detail] = try? row.value(field) }
        }
        let new = edit { view throws(EditError) in
            try view.edit { table throws(EditError) in
                let id = table.begin()
                do throws(EditError) {
                    try table.set(values, of: id)
                } catch {
                    try table.cancel(id)
                    throw error
                }
                return id
            }
        }
        if let new { form = RecordForm(new, isNew: true, field: levels[focus].column) }
    }
}
