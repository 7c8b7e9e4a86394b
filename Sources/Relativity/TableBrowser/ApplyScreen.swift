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
        let head = TextPanel.Line("\(row.state.mark) \(name(of: row))")
        guard row.state != .removed else { return [head] }
        return [head]
            + row.fields.map { field in
                let (old, new) = (field.old.map { text($0, field.type) }, text(field.new ?? .null, field.type))
                return TextPanel.Line("\(Printable(field.name)): \(old.map { "\($0) -> " } ?? "")\(new)", indent: 4)
            }
    }

    private static func name(of row: PendingRow) -> String {
        let key = row.key.map { "\(Printable($0.name))=\(text($0.value, $0.type))" }.joined(separator: ", ")
        return "\(Printable(row.row.table)) \(key.isEmpty ? "row \(row.row.row.number)" : key)"
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
        let notes = result.notes.map { TextPanel.Line(Self.words(for: $0), .warning) }
        let accepted = result.rows.count { $0.outcome == .accepted }
        if result.isComplete, notes.isEmpty { return say("\(Counted(accepted, "change")) applied", .good) }
        if store.undecided != nil { return showUndecided([]) }
        var lines: [TextPanel.Line] = []
        if let failure = result.failure { lines.append(TextPanel.Line(Self.words(for: failure), .bad)) }
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
                TextPanel.Line("! \(name(of: row.change)): rejected", .bad),
                TextPanel.Line(Printable(reason), indent: 4),
            ]
        case .conflict(let conflict):
            [TextPanel.Line("! \(name(of: row.change)): conflict", .warning)] + describe(conflict)
        case .unknown: [TextPanel.Line("? \(name(of: row.change)): outcome unknown", .warning)]
        case .pending: [TextPanel.Line("  \(name(of: row.change)): not sent")]
        }
    }

    private static func describe(_ conflict: EditConflict) -> [TextPanel.Line] {
        let head =
            switch conflict.kind {
            case .changed: "another client changed the row"
            case .missing: "the server no longer has the row"
            case .keyTaken: "the server has a row with this key"
            }
        return [TextPanel.Line(head, indent: 4)]
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
            let name = row.map { Self.name(of: $0) } ?? "\(Printable(conflict.table)) row \(conflict.row.number)"
            return [TextPanel.Line("! \(name)", .warning)] + Self.describe(conflict)
        }
        panels.append(.text(TextPanel("\(Counted(conflicts.count, "conflict")) with pending changes", lines, .message)))
    }

    private static func words(for note: ApplyNote) -> String {
        func list(_ tables: [String]) -> String { tables.map { Printable($0).description }.joined(separator: ", ") }
        return switch note {
        case .separateTransactions(let first, let later):
            "\(list(later)) was sent in another transaction than \(list(first))"
        case .waitsForKey(let row, let master):
            "row \(row.row.number) of \(Printable(row.table)) waits for the key of its row of \(Printable(master))"
        case .alreadyRemoved(let row): "row \(row.row.number) of \(Printable(row.table)) was removed by another client"
        case .keyUnknown(let row):
            "the server reported no key of new row \(row.row.number) of \(Printable(row.table)): r reads it"
        case .unknownRecord(let table, _): "the reply has a change of \(Printable(table)) that was not sent"
        }
    }

    private static func words(for failure: ApplyFailure) -> String {
        switch failure {
        case .refused(let reason): "the server refused all changes: \(Printable(reason))"
        case .notSent(let reason): "nothing was sent: \(Printable(reason))"
        case .unknownOutcome(let reason): "no reply, the server may have applied the changes: \(Printable(reason))"
        case .unreadable(let reason): "cannot compare the rows with the server's: \(Printable(reason))"
        case .tooLong: "the changes exceed the size of a message"
        case .notSaved: "cannot save the pending changes"
        }
    }

    // MARK: Unknown outcomes

    /// Shows the changes of unknown outcome, which the user decides about.
    mutating func showUndecided(_ verdicts: [OutcomeVerdict]) {
        guard let changes = store.undecided else { return }
        let known = Dictionary(verdicts.map { ($0.row, $0.verdict) }) { first, _ in first }
        let lines = Self.listed(changes.undecidedRows) { row -> [TextPanel.Line] in
            let change = changes.pendingRow(row)
            let name = change.map { Self.name(of: $0) } ?? "\(Printable(row.table)) row \(row.row.number)"
            let verdict =
                switch known[row] {
                case .applied: "applied, as it seems"
                case .notApplied: "not applied, as it seems"
                case .unclear: "unclear: the server has other values"
                case nil: "outcome unknown"
                }
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
