// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Glibc

/// Saves of a briefcase by a process that is killed, or whose system calls fail.
package enum BriefcaseRuns {
    private static let columns = [DataColumn("Id", .integer), DataColumn("Round", .integer)]
    private static let tables = ["First", "Second"]

    /// Saves a briefcase twice, and reports the number of each round.
    ///
    /// - Throws: `BriefcaseError`.
    package static func save(
        _ path: String,
        isFolder: Bool,
        _ report: (Int) -> Void = { EditorRuns.report("\($0)") }
    ) throws {
        let file = try open(path, isFolder ? .folder : .file)
        let found = try Briefcase.load(path)
        let first = try found.map(round) ?? 0
        for number in first + 1...first + 2 {
            try file.save(try briefcase(number))
            report(number)
        }
    }

    /// Returns the round of a briefcase of `save`, whose parts must belong to it: all of them if it has a version. Others
    /// may be those of the next round, each as a whole.
    ///
    /// - Throws: `BriefcaseError`, `RunFailure`.
    package static func countSaved(_ path: String) throws -> Int {
        guard let found = try Briefcase.load(path) else { return 0 }
        let round = try round(found)
        if let version = found.version, version != "\(round)" { throw RunFailure("version \(version), round \(round)") }
        let known = found.version == nil ? [round, round + 1] : [round]
        let contents = try known.map { Self.contents(try briefcase($0)) }
        for (index, part) in Self.contents(found).enumerated()
        where !contents.contains(where: { $0[index] == part }) {
            if found.version != nil || round > 0 || part != "" { throw RunFailure("part \(index) of round \(round)") }
        }
        return round
    }

    private static func round(_ briefcase: Briefcase) throws -> Int {
        let text = briefcase.properties["Round"]
        guard let number = Int(text ?? "0") else { throw RunFailure("round \(text ?? "")") }
        return number
    }

    private static func briefcase(_ round: Int) throws -> Briefcase {
        var briefcase = Briefcase()
        guard round > 0 else { return briefcase }
        briefcase.properties = ["Round": "\(round)"]
        briefcase.version = "\(round)"
        for name in tables {
            let schema = try TableSchema(
                fields: columns.map { SchemaEntry(field: $0.name, $0.type, isInPrimaryKey: $0.name == "Id") }
            )
            var table = try DataTable(name: name, columns: columns, schema: schema)
            for row in 0..<100 * round { try table.append([.integer(Int64(row)), .integer(Int64(round))]) }
            briefcase.put(table)
        }
        var set = try briefcase.changeSet().changes
        try set.edit(tables[0]) { table throws(EditError) in
            for row in 0..<round { try table.set("Round", of: RowID(Int64(row)), to: .integer(-1)) }
        }
        briefcase.changes = set
        return briefcase
    }

    /// The tables and the changes; empty for those that are missing.
    private static func contents(_ briefcase: Briefcase) -> [String] {
        tables.map { name in briefcase.table(name).map { "\($0.rows.map { Array($0) })" } ?? "" }
            + [briefcase.changes.map { "\($0.changedRows.count)" } ?? ""]
    }

    /// Opens a briefcase. A program that another thread starts has the lock of a closed file until it runs.
    private static func open(_ path: String, _ form: BriefcaseFile.Form) throws -> BriefcaseFile {
        for _ in 0..<1_000 {
            do throws(BriefcaseError) {
                return try BriefcaseFile(path, form: form)
            } catch {
                guard error == .inUse else { throw error }
                usleep(5_000)
            }
        }
        return try BriefcaseFile(path, form: form)
    }
}
