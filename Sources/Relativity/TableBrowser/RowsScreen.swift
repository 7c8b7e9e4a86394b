// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Screens

/// The division of the screen: a title, the rows, the rows of the details, a message and the keys.
struct RowsLayout {
    /// The place of a grid.
    struct Area {
        /// The line of the headings. The rows follow.
        let line: Int
        /// The number of rows, at least 1.
        let rows: Int
    }

    let upper: Area
    let lower: Area?

    init(_ size: ScreenSize, hasDetails: Bool) {
        // Without title, message, keys and the first headings.
        let rest = size.lines - 4
        guard hasDetails else {
            (upper, lower) = (Area(line: 1, rows: max(1, rest)), nil)
            return
        }
        // Without the title and the headings of the details.
        let below = max(1, (rest - 2) * 2 / 5)
        upper = Area(line: 1, rows: max(1, rest - 2 - below))
        lower = Area(line: 1 + upper.rows + 2, rows: below)
    }
}

extension Browser {
    var layout: RowsLayout { RowsLayout(size, hasDetails: levels.count > 1) }

    /// The index of the level in the upper part of the screen.
    var upper: Int { max(0, levels.count - 2) }

    func area(of level: Int) -> RowsLayout.Area { level == upper ? layout.upper : layout.lower ?? layout.upper }

    /// The pending changes, for a title; empty for none.
    var changeWords: String { store.hasChanges ? "  \(store.changeCount) pending" : "" }
}

/// The screen with the rows of a table, and those of its details.
struct RowsScreen {
    let browser: Browser

    var lines: [ScreenLine] {
        guard let upper = grid(browser.upper) else { return [] }
        var lines = [title(browser.upper)] + upper
        let layout = browser.layout
        guard let lower = layout.lower, let details = grid(browser.levels.count - 1) else { return lines }
        while lines.count < lower.line - 1 { lines.append(ScreenLine(browser.size)) }
        return lines + [title(browser.levels.count - 1)] + details
    }

    private func grid(_ index: Int) -> [ScreenLine]? {
        guard browser.levels.indices.contains(index) else { return nil }
        let level = browser.levels[index]
        let rows = browser.area(of: index).rows
        let grid = Grid(level, rows: rows, width: browser.size.columns)
        let counts = browser.marks(of: level.name)
        var lines = grid.lines(
            level,
            browser.size,
            isFocused: index == browser.focus,
            colors: browser.colors(of: level.view.table)
        ) { row in counts.contains { $0.count(of: row) > 0 } }
        if grid.rows.isEmpty {
            let reason = level.isFiltered ? "no row matches: Escape shows all" : "no rows"
            lines.append(ScreenLine(browser.size) { $0.put(reason, at: 4, .faint) })
        }
        return Array(lines.prefix(rows + 1))
    }

    private func title(_ index: Int) -> ScreenLine {
        let level = browser.levels[index]
        let name = Printable(level.name, columns: max(1, browser.size.columns / 2))
        let words = Printable(again: self.words(index, level))
        let isDetail = index > browser.upper
        return ScreenLine(browser.size) {
            if isDetail { $0.fill(String(repeating: "-", count: browser.size.columns), .faint) }
            let place = isDetail ? 3 : 0
            let shown = isDetail ? Printable(again: " \(name) ") : name
            $0.put(shown, at: place, ScreenStyle(isBold: true, isReverse: index == browser.focus))
            $0.put(words, at: place + Printable.width(of: shown.description))
        }
    }

    /// Facts about a level, the most important first, because a small screen cuts the rest.
    private func words(_ index: Int, _ level: RowsLevel) -> String {
        var words = [level.view.selectedIndex.map { "\($0 + 1)/\(level.view.count)" } ?? "0/\(level.view.count)"]
        if level.view.isReadOnly { words.append("read-only") }
        let changes = browser.store.changes(of: level.name)
        if changes > 0 { words.append("\(changes) pending") }
        if let entry = browser.store[level.name] {
            if entry.isCut { words.append(browser.isOpening ? "reading" : "cut at \(entry.table.count) rows") }
            if let predicate = entry.predicate { words.append("read: \(Printable("\(predicate)", columns: 60))") }
        }
        if let predicate = level.predicate { words.append("filter: \(Printable("\(predicate)", columns: 60))") }
        if !level.search.isEmpty { words.append("with '\(Printable(level.search, columns: 40))'") }
        return (index > browser.upper ? " " : "  ") + words.joined(separator: "  ") + " "
    }
}
