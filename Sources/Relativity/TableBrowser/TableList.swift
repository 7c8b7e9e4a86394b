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
    private(set) var chosen = 0
    private(set) var first = 0

    private static let longestFilter = 60

    /// The names that are shown.
    var shown: [String] {
        guard !filter.isEmpty else { return names }
        let part = filter.lowercased()
        return names.filter { $0.lowercased().contains(part) }
    }

    /// The name with the cursor.
    var choice: String? { shown.indices.contains(chosen) ? shown[chosen] : nil }

    mutating func move(by steps: Int) { chosen = min(max(chosen + steps, 0), max(shown.count - 1, 0)) }

    mutating func choose(_ index: Int) { chosen = min(max(index, 0), max(shown.count - 1, 0)) }

    mutating func type(_ key: Key) {
        switch key {
        case .text(let scalar), .pasted(let scalar):
            if filter.unicodeScalars.count < Self.longestFilter { filter.unicodeScalars.append(scalar) }
        case .backspace, .delete:
            if !filter.isEmpty { filter.unicodeScalars.removeLast() }
        default: return
        }
        chosen = 0
    }

    mutating func clearFilter() { (filter, chosen) = ("", 0) }

    /// Moves the visible part so that the cursor is in it.
    mutating func scroll(lines: Int) {
        first = min(max(min(first, chosen), chosen - lines + 1), max(0, chosen))
    }
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
        let page = max(1, tableLines - 1)
        switch key {
        case .up, .wheelUp: tables.move(by: -1)
        case .down, .wheelDown: tables.move(by: 1)
        case .pageUp: tables.move(by: -page)
        case .pageDown: tables.move(by: page)
        case .home: tables.choose(0)
        case .end: tables.choose(.max)
        case .click(_, let line):
            let index = tables.first + line - 1
            guard line >= 1, line <= tableLines, index < tables.shown.count else { break }
            if index == tables.chosen, let name = tables.choice { return open(name) }
            tables.choose(index)
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
        for index in list.first..<max(list.first, min(shown.count, list.first + browser.tableLines)) {
            lines.append(row(shown[index], isChosen: index == list.chosen))
        }
        if shown.isEmpty, browser.running == nil {
            let reason = list.names.isEmpty ? "no tables" : "no table matches: Escape shows all"
            lines.append(browser.line { $0.put(reason, at: 2, .faint) })
        }
        return lines
    }

    private var title: ScreenLine {
        let list = browser.tables
        return browser.line {
            let server = Printable(browser.settings.server, columns: max(1, browser.size.columns / 2))
            $0.put(server, at: 0, .title)
            let all = "\(Counted(list.names.count, "table"))"
            let count = list.filter.isEmpty ? all : "\(list.shown.count) of \(all)"
            let filter = list.filter.isEmpty ? "" : "  with '\(Printable(list.filter))'"
            let words = Printable(again: "\(count)\(filter)\(browser.changeWords)")
            $0.put(words, at: Printable.width(of: server.description) + 2)
        }
    }

    private func row(_ name: String, isChosen: Bool) -> ScreenLine {
        let width = min(40, max(16, browser.size.columns / 2))
        let style: ScreenStyle = isChosen ? .chosen : browser.store.changes(of: name) > 0 ? .title : .plain
        return browser.line {
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
