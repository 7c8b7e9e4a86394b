// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Glibc
internal import TestSupport

/// Saves pending changes, in a process that tests interrupt.
package enum EditorRuns {
    /// Adds four rows and saves each, to be killed or to fail at a system call.
    ///
    /// - Parameter report: receives the number of each saved row.
    /// - Throws: `PendingFileError`, `EditError`.
    package static func save(file: String, _ report: (Int) -> Void = { EditorRuns.report("\($0)") }) throws {
        let store = try open(file)
        var set = try store.changes ?? ServedShop.changes()
        let first = set.changedRows.count
        // The third row makes the file so long that it is written again.
        for number in first..<first + 4 {
            let text = client(number) + String(repeating: ".", count: number == first + 2 ? 300 << 10 : 0)
            try set.edit("Orders") { table throws(EditError) in _ = try table.append(["Client": .text(text)]) }
            try store.save(&set)
            report(number)
        }
    }

    /// Returns the number of rows in a file of `save`, which must be consecutive.
    ///
    /// - Throws: `PendingFileError`, `RunFailure`.
    package static func countSaved(file: String) throws -> Int {
        guard let set = try open(file).changes else { return 0 }
        let count = set.changedRows.count
        let rows = set.changedRows.compactMap { set.table($0.table)?.row($0.row)?.values }
        for number in 0..<count {
            let isSaved = rows.contains { row in
                if case .text(let text) = row[1] { text.hasPrefix(client(number)) } else { false }
            }
            guard isSaved else { throw RunFailure("row \(number) is lost") }
        }
        return count
    }

    /// Opens a file. A program that another thread starts has the lock of a closed file until it runs.
    private static func open(_ file: String) throws -> PendingFile {
        for _ in 0..<1_000 {
            do throws(PendingFileError) {
                return try PendingFile(file)
            } catch {
                guard error == .inUse else { throw error }
                usleep(5_000)
            }
        }
        return try PendingFile(file)
    }

    package static func report(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        write(STDOUT_FILENO, bytes, bytes.count)
    }

    /// The client of the new order with a number.
    private static func client(_ number: Int) -> String { "killed \(number) " }
}
