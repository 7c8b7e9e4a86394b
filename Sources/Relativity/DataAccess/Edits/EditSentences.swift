// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Endpoints
import NIOCore

// The sentences about edits and their outcome, for relctl, its browser and programs. Untrusted parts are escaped.

extension PendingRow {
    /// The table and the key.
    package var name: String {
        let key = key.map { "\(Printable($0.name))=\(Printable($0.value.text(as: $0.type) ?? "NULL"))" }
        return "\(Printable(row.table)) \(key.isEmpty ? "row \(row.row.number)" : key.joined(separator: ","))"
    }
}

extension EditConflict {
    /// What the server did with the row.
    package var sentence: String {
        switch kind {
        case .changed: "another client changed the row"
        case .missing: "the server no longer has the row"
        case .keyTaken: "the server has a row with this key"
        }
    }
}

extension OutcomeVerdict {
    /// Whether the change was made, and the reason.
    package func sentence(on state: RowState) -> String {
        switch (verdict, state) {
        case (.applied, .inserted): "was made: the row exists"
        case (.applied, .removed): "was made: the row no longer exists"
        case (.applied, _): "was made: the row has the new values"
        case (.notApplied, .inserted): "was not made: the row does not exist"
        case (.notApplied, .removed): "was not made: the row still exists"
        case (.notApplied, _): "was not made: the row has the old values"
        case (.unclear, _): "may have been made or not" + (matches.isEmpty ? "" : ": the row has other values")
        }
    }
}

extension ApplyFailure {
    /// A sentence for the user.
    package var sentence: String {
        switch self {
        case .refused(let text): "the server refused all changes: \(Printable(text))"
        case .notSent(let text): "nothing was changed: \(Printable(text))"
        case .unknownOutcome(let text): "the server may have made the changes or not: \(Printable(text))"
        case .unreadable(let text): "the rows to compare cannot be read: \(Printable(text))"
        case .tooLong: "the changes are more than one call can have"
        case .notSaved(let error): "the pending file cannot be written: \(Printable("\(error)"))"
        }
    }
}

extension ApplyNote {
    /// A sentence for the user.
    package var sentence: String {
        switch self {
        case .separateTransactions(let first, let later):
            "two transactions: the changes of \(Self.names(later)) were sent after those of \(Self.names(first))"
        case .waitsForKey(let row, let master):
            "a change of \(Printable(row.table)) waits for the key of a new row of \(Printable(master))"
        case .alreadyRemoved(let row): "a row of \(Printable(row.table)) was removed by another client"
        case .keyUnknown(let row): "the server did not report the key of a new row of \(Printable(row.table))"
        case .unknownRecord(let table, let record):
            "the reply for \(Printable(table)) has change \(record), which was not sent"
        }
    }

    private static func names(_ tables: [String]) -> String {
        tables.map { "\(Printable($0))" }.joined(separator: ", ")
    }
}

extension DataValue {
    /// The value in a line of text; text in quotes.
    package func shown(_ type: DataType?) -> String {
        guard let text = text(as: type ?? .unknown) else { return "NULL" }
        return switch self {
        case .text, .unreadable: "'\(Printable(text))'"
        case .bytes(let bytes): "\(Counted(bytes.readableBytes, "byte"))"
        default: "\(Printable(text))"
        }
    }
}
