// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens

/// The list of the tables of a server, and the part of it that is shown.
struct TableList: Sendable {
    /// The names of all tables.
    var names: [String] = []
    /// The text that shown names contain, ignoring case.
    private(set) var filter = ""
    private(set) var cursor = ListCursor()

    /// The names that are shown.
    var shown: [String] {
        guard !filter.isEmpty else { return names }
        let part = filter.lowercased()
        return names.filter { $0.lowercased().contains(part) }
    }

    /// The name with the cursor.
    var choice: String? { shown.indices.contains(cursor.selected) ? shown[cursor.selected] : nil }

    /// - Parameter height: the number of tables that the screen shows.
    mutating func select(_ place: Int, height: Int) { cursor.select(place, of: shown.count, height: height) }

    mutating func type(_ key: Key) { if filter.editFilter(key) { cursor = ListCursor() } }

    mutating func clearFilter() { (filter, cursor) = ("", ListCursor()) }
}

extension Browser {
    mutating func take(_ schema: DataSchema?, _ names: [String]) -> [BrowserAction] {
        self.schema = schema
        relations = schema.map { TableRelations($0) }
        tables.names = names
        store.references = relations?.references ?? []
        guard levels.isEmpty, let table = settings.table else { return [] }
        return open(table, where: settings.predicate, FirstView(order: settings.order))
    }

    /// Shows a table. Its rows are read unless they were before.
    mutating func open(
        _ table: String,
        where predicate: Expression? = nil,
        _ view: FirstView = FirstView()
    ) -> [BrowserAction] {
        if store[table] != nil {
            show(table, view)
            return []
        }
        return run(.load(table: table, predicate: predicate, limit: settings.limit), .open(view))
    }

    mutating func pressInTables(_ key: Key) -> [BrowserAction] {
        if let steps = key.steps(page: max(1, tableLines - 1), wheel: 1) {
            tables.select(tables.cursor.selected + steps, height: tableLines)
            return []
        }
        switch key {
        case .click(_, let line):
            let place = tables.cursor.place(at: line - 1, of: tables.shown.count, height: tableLines)
            if place == tables.cursor.selected, let name = tables.choice { return open(name) }
            if let place { tables.select(place, height: tableLines) }
        case .enter:
            if let name = tables.choice { return open(name) }
        case .escape:
            guard tables.filter.isEmpty else {
                tables.clearFilter()
                break
            }
            return leave(settings.hasServerList ? .servers : .quit)
        case .control("r"), .function(5): return run(.readSchema)
        case .control("a"), .function(9): reviewChanges()
        case .function(1): showHelp()
        default: tables.type(key)
        }
        return []
    }

    /// The number of tables that fit.
    var tableLines: Int { max(1, size.lines - 3) }
}

/// The screen with the list of tables.
struct TablesScreen {
    let browser: Browser

    var lines: [ScreenLine] {
        let list = browser.tables
        let shown = list.shown
        var lines = [title]
        lines += list.cursor.visible(of: shown.count, height: browser.tableLines).map { place in
            row(shown[place], isChosen: place == list.cursor.selected)
        }
        if shown.isEmpty, browser.running == nil {
            let reason = list.names.isEmpty ? "no tables" : "no table matches: Escape shows all"
            lines.append(ScreenLine(browser.size) { $0.put(reason, at: 2, .faint) })
        }
        return lines
    }

    private var title: ScreenLine {
        let list = browser.tables
        let all = "\(Counted(list.names.count, "table"))"
        let count = list.filter.isEmpty ? all : "\(list.shown.count) of \(all)"
        let filter = list.filter.isEmpty ? "" : "  with '\(Printable(list.filter))'"
        let words = Printable(again: "\(count)\(filter)\(browser.changeWords)")
        return ScreenLine(browser.size, heading: browser.settings.server, next: words)
    }

    private func row(_ name: String, isChosen: Bool) -> ScreenLine {
        let width = min(40, max(16, browser.size.columns / 2))
        let style: ScreenStyle = isChosen ? .chosen : browser.store.changes(of: name) > 0 ? .title : .plain
        return ScreenLine(browser.size) {
            if isChosen { $0.fill(">", .chosen) }
            $0.put(name, at: 2, width: width - 1, style)
            $0.put(facts(name), at: 2 + width, style)
        }
    }

    private func facts(_ name: String) -> String {
        var facts: [String] = []
        if let entry = browser.store[name] {
            facts.append("\(Counted(entry.table.count, "row"))")
            let changes = browser.store.changes(of: name)
            if changes > 0 { facts.append("\(changes) pending") }
        }
        if let table = browser.schema?.table(name) {
            facts.append("\(Counted(table.fields.count, "field"))")
            if table.isReadOnly { facts.append("read-only") }
        }
        return facts.joined(separator: ", ")
    }
}
