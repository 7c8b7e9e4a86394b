// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import Platform
import Screens

/// The number of details of each row of a master, as long as the details are the same.
struct MarkCounts: Sendable {
    let version: Int
    /// Nil if the reference does not fit the tables.
    let counts: DetailCounts?
}

/// Open tables and their details.
extension Browser {
    /// Shows a table that was read, without other levels.
    mutating func show(_ table: String, _ first: FirstView) {
        guard let entry = store[table] else { return }
        levels = [RowsLevel(view(of: entry.table))]
        focus = 0
        do throws(EditError) {
            try levels[0].view.sort(by: first.order)
            // The row that was read first was selected, and sorting keeps the selection.
            levels[0].view.select(0)
        } catch {
            fail(Printable(again: "\(error)"))
        }
        if levels[0].fields.isEmpty { say("the table has no fields", .warning) }
    }

    private func view(of table: EditableTable) -> TableViewModel {
        TableViewModel(table, isReadOnly: refusal(of: table.name) != nil, showsRemoved: true)
    }

    /// The reason why a table cannot be edited; nil if it can.
    func refusal(of table: String) -> String? {
        if settings.isReadOnly { return "read-only: the view was opened without editing" }
        if schema?.table(table)?.isReadOnly == true { return "read-only: the server accepts no changes of this table" }
        return nil
    }

    /// Shows the rows of the table that is being opened, as far as they have arrived.
    mutating func show(arriving table: EditableTable) {
        guard let running, case .open(let first) = running.reading, case .load(_, let predicate, _) = running.action,
            (try? store.take(table, where: predicate, isCut: true)) != nil
        else { return }
        if levels.isEmpty { show(table.name, first) } else { reloadAtTop { $0.reloadLevels(of: table.name) } }
    }

    /// Reloads levels. A cursor on the first row stays there, also if other rows come first in the order now.
    private mutating func reloadAtTop(_ reload: (inout Self) -> Void) {
        let isAtTop = levels.first?.view.selectedIndex == 0
        reload(&self)
        if isAtTop { levels[0].view.select(0) }
    }

    /// Takes rows that were read.
    mutating func take(_ table: EditableTable, isCut: Bool) {
        guard let task = running, case .load(_, let predicate, _) = task.action else { return }
        let isOpening = isOpening
        running = nil
        do throws(EditError) {
            let fields = store[table.name]?.table.fields
            let conflicts = try store.take(table, where: predicate, isCut: isCut)
            // The server's table has other fields than before, or was not read before.
            if fields != table.fields { (rules[table.name], counts) = (nil, [:]) }
            if isOpening {
                // Rows that had arrived before have the same numbers.
                reloadAtTop { $0.reloadLevels(of: table.name) }
            } else {
                reloadLevels(of: table.name)
                closeForm(of: table.name)
            }
            if isCut { say("only the first \(table.count) rows were read", .warning) }
            if !conflicts.isEmpty { showConflicts(conflicts) }
        } catch {
            return fail(Printable(again: "\(error): apply or drop the changes first"))
        }
        switch task.reading {
        case .open(let first): if levels.isEmpty { show(table.name, first) }
        case .details(let reference): showDetails(reference)
        case .names(let field): namesRead(for: field, isComplete: !isCut)
        case .again(isFiltered: true):
            // The server has the conditions now, unless the rows were merged with pending changes.
            guard levels.indices.contains(focus), let entry = store[levels[focus].name], let sent = entry.predicate,
                sent == levels[focus].userFilter
            else { break }
            try? levels[focus].filter(link: levels[focus].link, search: "", predicate: nil)
            say("R reads all rows again", .faint)
        case .again, nil: break
        }
    }

    /// Closes the form of a row of a table that was read again: its number may now be that of another row. A new row is
    /// kept.
    private mutating func closeForm(of table: String) {
        guard levels.indices.contains(focus), NameMatch.isSimilar(levels[focus].name, table) else { return }
        if let form, !form.isNew { (panels, self.form) = ([], nil) }
    }

    /// Replaces the rows of the open levels of a table by those of the store.
    mutating func reloadLevels(of table: String, except exception: Int? = nil) {
        guard let entry = store[table] else { return }
        for index in levels.indices where index != exception && NameMatch.isSimilar(levels[index].name, table) {
            if levels[index].fields == entry.table.fields {
                levels[index].view.reload(entry.table)
            } else {
                levels[index] = RowsLevel(view(of: entry.table), levels[index].reference)
            }
        }
    }

    /// Edits the table of the focused level, and the same table in other levels. A refusal becomes a message.
    ///
    /// - Returns: nil if the edit was refused.
    @discardableResult
    mutating func edit<Result>(_ body: (inout TableViewModel) throws(EditError) -> Result) -> Result? {
        guard levels.indices.contains(focus) else { return nil }
        if let refusal = refusal(of: levels[focus].name) {
            say(refusal, .warning)
            return nil
        }
        guard !isApplying, !isOpening, store.undecided == nil else {
            say(
                isApplying || isOpening ? "wait: \(runningWords)" : "the outcome of the last apply is unknown: press a",
                .warning
            )
            return nil
        }
        do throws(EditError) {
            let result = try body(&levels[focus].view)
            store.update(levels[focus].view.table)
            reloadLevels(of: levels[focus].name, except: focus)
            return result
        } catch {
            say("\(error)", .bad)
            return nil
        }
    }

    // MARK: Details

    /// Shows the next table with details of the focused rows below them, or none after the last one.
    mutating func cycleDetails() -> [BrowserAction] {
        let references = relations?.details(of: levels[focus].name) ?? []
        guard !references.isEmpty else {
            say("the schema shows no table with details of \(Printable(levels[focus].name))", .warning)
            return []
        }
        var next = 0
        if focus < levels.count - 1 {
            next = (references.firstIndex { $0 == levels[focus + 1].reference } ?? -1) + 1
            levels.removeLast()
        }
        guard next < references.count else { return [] }
        let reference = references[next]
        if store[reference.detail] != nil {
            showDetails(reference)
            return []
        }
        return run(.load(table: reference.detail, predicate: nil, limit: settings.limit), .details(reference))
    }

    private mutating func showDetails(_ reference: KeyReference) {
        // The user may have left the master while the details were read.
        guard let last = levels.last, NameMatch.isSimilar(last.name, reference.master),
            focus == levels.count - 1, let entry = store[reference.detail]
        else { return }
        levels.append(RowsLevel(view(of: entry.table), reference))
        if !entry.isComplete { say("details may be missing: r reads those of this row", .warning) }
    }

    /// The condition of the details of the selected row of the level before.
    func link(of level: Int) -> Expression? {
        guard level > 0, let reference = levels[level].reference else { return nil }
        let master = levels[level - 1].view
        guard let row = master.selection.flatMap({ master.table.row($0) }) else { return .constant(false) }
        return reference.detailCondition(of: row) ?? .constant(false)
    }

    // MARK: After each event

    /// Makes the visible part fit the state.
    mutating func settle() {
        tables.select(tables.cursor.selected, height: tableLines)
        focus = min(max(focus, upper), max(0, levels.count - 1))
        for index in levels.indices.dropFirst() {
            let link = link(of: index)
            guard link != levels[index].link else { continue }
            // A reference to fields that the table does not have shows no rows.
            do { try levels[index].filter(link: link) } catch { try? levels[index].filter(link: .constant(false)) }
            levels[index].view.select(0)
        }
        for index in levels.indices.suffix(2) {
            // A condition had hidden all rows.
            if levels[index].view.selectedIndex == nil { levels[index].view.select(0) }
            levels[index].scroll(rows: area(of: index).rows, columns: size.columns)
            prepareMarks(levels[index].view.table)
        }
        scrollForm()
    }

    /// Prepares what marks and colours the rows of a table.
    private mutating func prepareMarks(_ table: EditableTable) {
        if rules[table.name] == nil, !settings.colors.isEmpty {
            let fields = table.fields.map(\.column)
            let rules = ColorRules(settings.colors, fields: fields)
            self.rules[table.name] = rules
            if let misfit = rules.misfits.first, message == nil {
                say("colour rule \(misfit.rule + 1) is not applied: \(misfit.error)", .warning)
            }
        }
        for reference in relations?.details(of: table.name) ?? [] {
            guard let details = store[reference.detail], details.isComplete else { continue }
            guard counts[reference]?.version != details.version else { continue }
            let numbers = try? DetailCounts(reference, master: table, details: details.table)
            counts[reference] = MarkCounts(version: details.version, counts: numbers)
        }
    }

    /// The numbers of details of the rows of a table, as far as these were read.
    func marks(of table: String) -> [DetailCounts] {
        relations?.details(of: table).compactMap { counts[$0]?.counts } ?? []
    }

    func colors(of table: EditableTable) -> ColorRules? { rules[table.name] }
}
