// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

extension TableImport {
    /// The outcome of the record that begins on a line.
    package struct Failure: Hashable, Sendable {
        /// The line, from 1.
        package let line: Int
        /// The reason.
        package let reason: Reason
    }

    /// The reason why a record was not imported.
    package enum Reason: Hashable, Sendable {
        /// The record does not fit the table.
        case edit(TableEditError)
        /// Several rows of the table have the values of the record.
        case severalRows(Int)
        /// The server rejected the row, with this message; untrusted text.
        case rejected(String)
        /// Another client changed the row during the import.
        case conflict(EditConflict)
        /// The server did not process the row.
        case notProcessed
        /// The call for the row got no reply. The server may have the row.
        case unknown
    }

    /// The outcome of an import.
    package struct Report: Sendable {
        /// The number of rows that were inserted.
        package internal(set) var inserted = 0
        /// The number of rows that were updated.
        package internal(set) var updated = 0
        /// The number of records whose row has the same values.
        package internal(set) var unchanged = 0
        /// The number of records that were not imported, or whose outcome is unknown.
        package internal(set) var failed = 0
        /// The number of records whose outcome is unknown.
        package internal(set) var unknown = 0
        /// The number of records with a text that a code page does not have, or for a cell whose text is not known.
        package internal(set) var unknownTexts = 0
        /// The first failures, at most `mostFailures`, by line.
        package internal(set) var failures: [Failure] = []
        /// The reason why the import ended early; nil if all records were read.
        package internal(set) var stop: Stop?

        /// The number of records.
        package var records: Int { inserted + updated + unchanged + failed }
    }

    /// The reason why an import ended early.
    package enum Stop: Error, Hashable, Sendable {
        /// The file cannot be read further. Records before the error were imported.
        case source(ImportSourceError)
        /// The server's code page does not have a text of the file, or the text of a cell is not known. Nothing was sent.
        case unknownTexts
        /// A call failed. Nothing of later lines was sent.
        case apply(ApplyFailure, line: Int)
    }

    /// The maximum number of failures in a report.
    package static let mostFailures = 1_000
}

extension TableImport.Report {
    mutating func fail(_ line: Int, _ reason: TableImport.Reason) {
        failed += 1
        if case .unknown = reason { unknown += 1 }
        if reason.isUnknownText { unknownTexts += 1 }
        if failures.count < TableImport.mostFailures { failures.append(.init(line: line, reason: reason)) }
    }

    mutating func count(_ row: TableImport.Row) {
        if !row.hasChange { unchanged += 1 } else if row.isNew { inserted += 1 } else { updated += 1 }
    }

    mutating func add(_ other: Self) {
        inserted += other.inserted
        updated += other.updated
        unchanged += other.unchanged
        failed += other.failed
        unknown += other.unknown
        unknownTexts += other.unknownTexts
        failures += other.failures.prefix(TableImport.mostFailures - failures.count)
        stop = stop ?? other.stop
    }
}

extension TableImport.Report {
    /// The report of an import of which nothing was sent, because the check before it ended early.
    package init(stoppedBefore stop: TableImport.Stop) { self.stop = stop }

    /// The report of an import that was refused after this one, a dry run, because of unknown texts.
    package var refused: TableImport.Report {
        var report = TableImport.Report()
        report.failures = failures.filter(\.reason.isUnknownText)
        (report.failed, report.unknownTexts) = (unknownTexts, unknownTexts)
        report.stop = .unknownTexts
        return report
    }
}

extension TableImport.Reason {
    fileprivate var isUnknownText: Bool {
        switch self {
        case .edit(.refused(_, .unmappable)), .edit(.refused(_, .unreadable)): true
        default: false
        }
    }
}
