// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Screens

/// Pending changes, and the outcome of an apply.
extension Browser {
    /// The maximum number of changes that are listed.
    private static let mostListed = 500

    /// Shows the changes that would be sent.
    mutating func reviewChanges() {
        if let undecided = store.undecided, !undecided.undecidedRows.isEmpty { return showUndecided([]) }
        guard running == nil else { return say("wait, or press Escape: \(runningWords)", .warning) }
        guard store.hasChanges, let changes = store.changeSet() else { return say("no pending changes") }
        var lines: [TextPanel.Line] = []
        for table in changes.tables {
            let states = table.changedRows.compactMap { table.row($0)?.state }
            let counts = [(RowState.inserted, "new"), (.updated, "changed"), (.removed, "deleted")]
                .map { state, word in (states.count { $0 == state }, word) }.filter { $0.0 > 0 }
            let words = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            lines.append(TextPanel.Line("\(Printable(table.name)): \(words)", .title))
        }
        lines.append(TextPanel.Line(""))
        lines += Self.listed(changes.pendingRows) { Self.describe($0) }
        panels.append(.text(TextPanel("apply \(Counted(changes.changedRows.count, "change"))?", lines, .review)))
    }

    private static func listed<Item>(_ items: [Item], _ describe: (Item) -> [TextPanel.Line]) -> [TextPanel.Line] {
        let lines = items.prefix(mostListed).flatMap(describe)
        return items.count > mostListed ? lines + [TextPanel.Line("… \(items.count - mostListed) more")] : lines
    }

    /// Describes a change: its row, and the values of each field.
    private static func describe(_ row: PendingRow) -> [TextPanel.Line] {
        let head = TextPanel.Line("\(row.state.mark) \(row.name)")
        guard row.state != .removed else { return [head] }
        return [head]
            + row.fields.map { field in
                let (old, new) = (field.old.map { text($0, field.type) }, text(field.new ?? .null, field.type))
                return TextPanel.Line("\(Printable(field.name)): \(old.map { "\($0) -> " } ?? "")\(new)", indent: 4)
            }
    }

    private static func text(_ value: DataValue, _ type: DataType) -> String { Grid.Cell(value, type).text.description }

    /// Sends all pending changes.
    mutating func apply(isForced: Bool) -> [BrowserAction] {
        (panels, form) = ([], nil)
        guard let changes = store.changeSet() else { return [] }
        return run(.apply(changes, isForced: isForced))
    }

    /// Takes the outcome of an apply.
    mutating func take(_ changes: ChangeSet, _ result: EditResult) {
        running = nil
        store.take(changes)
        for table in changes.tables { reloadLevels(of: table.name) }
        let notes = result.notes.map { TextPanel.Line($0.sentence, .warning) }
        let accepted = result.rows.count { $0.outcome == .accepted }
        if result.isComplete, notes.isEmpty { return say("\(Counted(accepted, "change")) applied", .good) }
        if store.undecided != nil { return showUndecided([]) }
        var lines: [TextPanel.Line] = []
        if let failure = result.failure { lines.append(TextPanel.Line(failure.sentence, .bad)) }
        lines += notes + [TextPanel.Line("\(accepted) of \(Counted(result.rows.count, "change")) applied", .title)]
        lines += Self.listed(result.rows.filter { $0.outcome != .accepted }) { Self.describe($0) }
        let hasConflicts = result.rows.contains { if case .conflict = $0.outcome { true } else { false } }
        panels.append(
            .text(
                TextPanel("apply", lines, .result(hasConflicts: hasConflicts, hasPending: accepted < result.rows.count))
            )
        )
    }

    private static func describe(_ row: EditResult.Row) -> [TextPanel.Line] {
        switch row.outcome {
        case .accepted: []
        case .rejected(let reason):
            [
                TextPanel.Line("! \(row.change.name): rejected", .bad),
                TextPanel.Line(Printable(reason), indent: 4),
            ]
        case .conflict(let conflict):
            [TextPanel.Line("! \(row.change.name): conflict", .warning)] + describe(conflict)
        case .unknown: [TextPanel.Line("? \(row.change.name): outcome unknown", .warning)]
        case .pending: [TextPanel.Line("  \(row.change.name): not sent")]
        }
    }

    private static func describe(_ conflict: EditConflict) -> [TextPanel.Line] {
        [TextPanel.Line(conflict.sentence, indent: 4)]
            + conflict.fields.prefix(20).map { field in
                let theirs = field.theirs.map { text($0, field.type) } ?? "no row"
                return TextPanel.Line(
                    "\(Printable(field.name)): was \(text(field.old, field.type)), here \(text(field.mine, field.type)), "
                        + "server \(theirs)",
                    indent: 4
                )
            }
    }

    /// Shows the conflicts that a reading has found. The changes stay.
    mutating func showConflicts(_ conflicts: [EditConflict]) {
        let lines = Self.listed(conflicts) { conflict in
            let row = store.changeSet()?.pendingRow(ChangedRow(conflict.table, conflict.row))
            let name = row?.name ?? "\(Printable(conflict.table)) row \(conflict.row.number)"
            return [TextPanel.Line("! \(name)", .warning)] + Self.describe(conflict)
        }
        panels.append(.text(TextPanel("\(Counted(conflicts.count, "conflict")) with pending changes", lines, .message)))
    }

    // MARK: Unknown outcomes

    /// Shows the changes of unknown outcome, which the user decides about.
    mutating func showUndecided(_ verdicts: [OutcomeVerdict]) {
        guard let changes = store.undecided else { return }
        let known = Dictionary(verdicts.map { ($0.row, $0) }) { first, _ in first }
        let lines = Self.listed(changes.undecidedRows) { row -> [TextPanel.Line] in
            let change = changes.pendingRow(row)
            let name = change?.name ?? "\(Printable(row.table)) row \(row.row.number)"
            let verdict = known[row]?.sentence(on: change?.state ?? .updated) ?? "outcome unknown"
            return [TextPanel.Line("? \(name): \(verdict)")]
        }
        panels.removeAll { if case .text = $0 { true } else { false } }
        let head = "The changes were sent and no reply came. The server may have applied them."
        let all = [TextPanel.Line(head, .warning)] + lines
        panels.append(.text(TextPanel("outcome unknown", all, .undecided(verdicts))))
    }

    /// Decides about the changes of unknown outcome.
    mutating func decide(_ letter: Unicode.Scalar, _ verdicts: [OutcomeVerdict]) -> [BrowserAction] {
        guard var changes = store.undecided else { return [] }
        let all = changes.undecidedRows
        switch letter {
        case "v": return run(.check(changes))
        case "t" where !verdicts.isEmpty:
            changes.settle(verdicts.filter { $0.verdict == .applied }.map(\.row))
            changes.retry()
        case "p": changes.retry()
        case "k": changes.settle(all)
        case "d": changes.drop(all)
        default: return []
        }
        panels.removeLast()
        store.take(changes)
        for table in changes.tables { reloadLevels(of: table.name) }
        say("r reads the rows that the server has now")
        return []
    }
}
