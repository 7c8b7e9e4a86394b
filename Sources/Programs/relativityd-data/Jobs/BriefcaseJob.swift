// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

extension JobRunner {
    /// The properties that this program sets. A user cannot set them.
    private enum Key {
        static let all = [
            Briefcase.versionKey, Briefcase.savedKey, Briefcase.endpointKey, Briefcase.serviceKey,
            Briefcase.codePageKey,
        ]
    }

    var path: String { job.briefcase.path }

    /// - Returns: the exit status.
    func briefcase() async throws -> Int32 {
        switch job.briefcase.action {
        case .save: try await saveBriefcase()
        case .load: try await loadBriefcase()
        case .list: try listBriefcases()
        case .show: try showBriefcase()
        case .diff: return try await diffBriefcase()
        case .refresh: return try await refreshBriefcase()
        case .delete: try deleteBriefcase()
        case .keep: return try await keepTables()
        case .unkeep: try unkeepTables()
        case .listKept: try listKept()
        case .findKept: try findKept()
        }
        return EXIT_SUCCESS
    }

    /// The failure for an error of the briefcase of the job, with its path.
    func failure(_ error: BriefcaseError) -> DataFailure {
        let isMissing = if case .system(_, ENOENT) = error { true } else { false }
        let place = path.isEmpty ? "the kept tables" : "\(Printable(path))"
        return DataFailure(isMissing ? .notFound : .failed, "\(place): \(Printable("\(error)"))")
    }

    // MARK: Without a server

    /// - Throws: `DataFailure` if there is none, or one of another version; `BriefcaseError`.
    func existing() throws -> Briefcase {
        let page = try fileCodePage()
        let found = try Briefcase.load(path) { page ?? Briefcase.codePage($0) ?? .assumed() }
        guard let briefcase = found else {
            throw DataFailure(.notFound, "no briefcase '\(Printable(path))'")
        }
        guard try BriefcaseFile.form(of: path) == .file || !briefcase.properties.isEmpty || !briefcase.tables.isEmpty
        else { throw DataFailure(.usage, "\(Printable(path)) is no briefcase") }
        return briefcase
    }

    /// Opens the briefcase of the job for writing, and reads it.
    ///
    /// - Throws: as `existing`; also `inUse`.
    func openBriefcase() throws -> (file: BriefcaseFile, content: Briefcase) {
        // Checked before, because the lock is a file, which does not belong next to something else. Read again after, as
        // it may have changed until it was locked.
        _ = try existing()
        let file = try BriefcaseFile(path, waiting: Self.lockPatience)
        return (file, try existing())
    }

    private func loadBriefcase() async throws {
        let briefcase = try existing()
        if let version = job.briefcase.version, briefcase.version != version {
            let found = briefcase.version.map { "version \(Printable($0))" } ?? "no version"
            throw DataFailure(
                .notFound,
                "the briefcase has \(found), not \(Printable(version)): 'briefcase refresh --version' downloads it again"
            )
        }
        try await showRows(of: table(), in: briefcase)
    }

    /// Returns a table of a briefcase.
    ///
    /// - Throws: `DataFailure` if there is none.
    func table(_ name: String, of briefcase: Briefcase) throws -> DataTable {
        if let table = briefcase.table(name) { return table }
        let text = job.briefcase.isKept ? "the kept tables do not have" : "the briefcase has no table"
        throw DataFailure(.notFound, "\(text) \(Printable(name))")
    }

    /// Prints the rows of a table that the query of the job selects, with its pending changes.
    ///
    /// - Parameter members: more members of the JSON object.
    func showRows(of name: String, in briefcase: Briefcase, _ members: JSONObject = [:]) async throws {
        let stored = try table(name, of: briefcase)
        let query = try query(stored.name)
        let columns = query.fields.isEmpty ? nil : query.fields
        var rows = ShownRows(try job.output.writer(columns: columns), job)
        do {
            try await briefcase.read(stored, query, into: &rows)
        } catch {
            await rows.fail()
            throw error
        }
        var steps: [ReadStep] = columns == nil ? [] : [.select]
        if query.predicate != nil { steps.append(.filter) }
        if !query.order.isEmpty { steps.append(.sort) }
        if query.limit != nil { steps.append(.limit) }
        let evaluated = DataAPI.Evaluated(server: [], here: steps.map(\.rawValue))
        try await rows.finish(evaluated: evaluated.json, members: members)
        if stored.columns.first?.codePage?.wasGuessed == true {
            text.note("text that is not Unicode is read as Latin-1: --code-page names another one")
        }
    }

    private func listBriefcases() throws {
        guard access(path, F_OK) == 0 else { throw DataFailure(.notFound, "no directory '\(Printable(path))'") }
        var records: [(name: String, record: BriefcaseRecord)] = []
        for name in DirectoryNames.of(path) {
            let path = path + "/" + name
            let form = try? BriefcaseFile.form(of: path)
            guard form == .file ? name.hasSuffix(".daBriefcase") : name.hasSuffix(".briefcase") else { continue }
            do throws(BriefcaseError) {
                guard let briefcase = try Briefcase.load(path) else { continue }
                records.append((name, BriefcaseRecord(briefcase, form)))
            } catch {
                text.note("\(Printable(name)): \(Printable("\(error)"))")
            }
        }
        guard !text.isDocument else {
            let objects = records.map { name, record -> JSONValue in
                var object = record.json
                object["name"] = .string(name)
                return .object(object)
            }
            return text.write(["briefcases": .array(objects)])
        }
        text.write(
            ["NAME", "VERSION", "AGE", "TABLES", "ROWS", "PENDING"],
            records.map { name, record in [name, record.version ?? "", record.age ?? ""] + record.counts }
        )
    }

    private func showBriefcase() throws {
        let briefcase = try existing()
        let record = BriefcaseRecord(briefcase, try BriefcaseFile.form(of: path))
        guard !text.isDocument else { return text.write(["briefcase": .object(record.json)]) }
        for (name, value) in briefcase.properties.sorted(by: { $0.key < $1.key }) {
            let age = name == Briefcase.savedKey ? record.age.map { " (\($0) ago)" } ?? "" : ""
            text.write(line: "\(Printable(name)): \(Printable(value))\(age)")
        }
        text.write(["TABLE", "ROWS", "PENDING"], record.tables.map { [$0.name, "\($0.rows)", "\($0.pending)"] })
    }

    private func deleteBriefcase() throws {
        let file: BriefcaseFile
        let count: Int
        do {
            let content: Briefcase
            (file, content) = try openBriefcase()
            count = content.changes?.changedRows.count ?? 0
        } catch let error as BriefcaseError {
            // A damaged one, by its name or by the names in the folder. Other files are not removed.
            guard job.briefcase.isForced,
                BriefcaseFile.isFolder(path) || [".daBriefcase", ".briefcase"].contains(where: path.hasSuffix)
            else { throw error }
            (file, count) = (try BriefcaseFile(path), 0)
        }
        guard count == 0 || job.briefcase.isForced else {
            throw DataFailure(.failed, "\(Counted(count, "pending change")) would be lost: use --force")
        }
        try file.remove()
        text.tell(["deleted": .string(path)], else: "\(Printable(path)) deleted")
    }

    // MARK: With a server

    private func saveBriefcase() async throws {
        let form: BriefcaseFile.Form = job.briefcase.isFolder ? .folder : .file
        let found = try BriefcaseFile.form(of: path)
        guard found == nil || found == form else {
            throw DataFailure(.usage, "\(Printable(path)) is a \(form == .file ? "folder" : "file")")
        }
        let isNew = found == nil || found == .folder && DirectoryNames.of(path).isEmpty
        let (file, old) = isNew ? (try BriefcaseFile(path, form: form), Briefcase()) : try openBriefcase()
        guard old.changes == nil || job.briefcase.isForced else {
            throw DataFailure(
                .failed,
                "the briefcase has pending changes: use 'briefcase refresh' to keep them, or --force to drop them"
            )
        }
        var briefcase = Briefcase()
        briefcase.properties = old.properties
        do {
            _ = try await download(job.tables, into: &briefcase)
            try file.save(briefcase)
        } catch {
            if found == nil { try? file.remove() }
            throw error
        }
        report(briefcase)
    }

    private func refreshBriefcase() async throws -> Int32 {
        let (file, briefcase) = try openBriefcase()
        try check(briefcase)
        return try await refresh(briefcase, file, names: briefcase.tables.map(\.name))
    }

    /// Downloads tables into a briefcase that is open for writing, and merges its pending changes with them.
    ///
    /// - Returns: the exit status.
    func refresh(_ found: Briefcase, _ file: BriefcaseFile, names: [String]) async throws -> Int32 {
        var briefcase = found
        var outcome: EditReport?
        if job.briefcase.isApplied {
            let report = try await apply(briefcase, file)
            if report.failure != nil { return report.status }
            outcome = report
            briefcase = try existing()
            // A table of the changes may have come from the apply.
            for table in briefcase.tables where !names.contains(table.name) { briefcase.remove(table.name) }
        }
        let refused: [String]
        do {
            refused = try await download(names, into: &briefcase)
        } catch {
            guard let outcome else { throw error }
            if text.isDocument { report(outcome) }
            let accepted = outcome.changes.count { $0.outcome == .accepted }
            guard accepted > 0 else { throw error }
            let failure = DataFailure(error)
            throw DataFailure(failure.status.after(changes: accepted), failure.message)
        }
        let (changes, conflicts) = try briefcase.changeSet()
        briefcase.changes = changes.hasChanges || !changes.undecidedRows.isEmpty ? changes : nil
        try file.save(briefcase)
        let reported = outcome?.conflicts ?? []
        for conflict in conflicts where !reported.contains(ChangedRow(conflict.table, conflict.row)) {
            text.note(conflict.note(changes))
        }
        report(briefcase, outcome, conflicts: conflicts.map { .object($0.json(changes)) })
        let isComplete = conflicts.isEmpty && refused.isEmpty
        return isComplete ? outcome?.status ?? EXIT_SUCCESS : ExitStatus.someFailed.rawValue
    }

    /// Applies the pending changes of a briefcase, which is rewritten before and after each call. Prints the outcome,
    /// unless it is a part of a JSON document that comes later.
    private func apply(_ briefcase: Briefcase, _ file: BriefcaseFile) async throws -> EditReport {
        guard let pending = briefcase.changes, pending.hasChanges || !pending.undecidedRows.isEmpty else {
            return EditReport(changes: [])
        }
        var part = Briefcase()
        part.changes = pending
        let changed = Set((pending.changedRows + pending.undecidedRows).map(\.table))
        for name in pending.tables.map(\.name) {
            if let table = briefcase.table(name) {
                part.put(table)
            } else if changed.contains(name) {
                throw DataFailure(
                    .usage,
                    "changes of \(Printable(name)) are pending, which the briefcase does not have: use 'table apply' with "
                        + "its pending file"
                )
            }
        }
        var changes = try part.changeSet().changes
        let editor = TableEditor(try reader())
        try await prepare(&changes, editor)
        let outcome = try await outcome(of: &changes, editor, BriefcaseStore(file, briefcase), path: path)
        if outcome.failure != nil || !text.isDocument { report(outcome) }
        if case .unknownOutcome = outcome.failure { await showVerdictsNow(on: changes, editor) }
        return outcome
    }

    /// Applies the pending changes of the briefcase of the job. Nothing is downloaded.
    ///
    /// - Returns: the exit status.
    func applyBriefcase() async throws -> Int32 {
        let (file, briefcase) = try openBriefcase()
        try check(briefcase)
        let outcome = try await apply(briefcase, file)
        let isReported = outcome.failure != nil || !outcome.changes.isEmpty && !text.isDocument
        if !isReported { report(outcome) }
        return outcome.status
    }

    private func diffBriefcase() async throws -> Int32 {
        let briefcase = try existing()
        try check(briefcase)
        let names = job.tables.isEmpty ? briefcase.tables.map(\.name) : job.tables
        let tables = try names.map { try table($0, of: briefcase) }
        var reader = try reader()
        var areEqual = true
        var start = "{\"schemaVersion\":1,\"tables\":["
        for table in tables {
            let diff = try TableDiff(key: job.keys.isEmpty ? nil : job.keys, job.output.options)
            var left = diff.consumer(.left)
            try await left.begin(table.head)
            try await left.add(table.rows, nil)
            var right = ShownRows(diff.consumer(.right), job)
            let record = try await reader.read(TableQuery(table.name), into: &right)
            right.clear()
            await conclude(record.notes, &reader)
            let name = "{\"name\":\(String(decoding: JSONValue.string(table.name).serialized(), as: UTF8.self)),"
            let prefix = names.count > 1 ? "\(Printable(table.name)): " : ""
            let counts = try show(diff, prefix: text.isDocument ? start + name : prefix)
            if text.isDocument { Main.write(Array("}".utf8)) }
            start = ",\n"
            areEqual = areEqual && counts.areEqual
        }
        try noteCodePage()
        if text.isDocument { Main.write(Array("\(tables.isEmpty ? start : "")]}\n".utf8)) }
        return areEqual ? EXIT_SUCCESS : ExitStatus.tablesDiffer.rawValue
    }

    /// - Throws: `DataFailure` if the briefcase is from another server or service. Those of other programs do not say it.
    private func check(_ briefcase: Briefcase) throws {
        let adapter = try server()
        try check(briefcase, Briefcase.endpointKey, adapter.identity ?? adapter.name)
        try check(briefcase, Briefcase.serviceKey, adapter.service)
    }

    private func check(_ briefcase: Briefcase, _ key: String, _ own: String) throws {
        guard let found = briefcase.properties[key], found != own else { return }
        let text = "the briefcase is from \(key.lowercased()) \(Printable(found)), not \(Printable(own))"
        throw DataFailure(.usage, text)
    }

    /// Reads tables in one call, so that their rows are from one moment; one after the other if the server refuses. Sets
    /// the properties.
    ///
    /// - Returns: the tables of a kept set that the server refuses while it sends others. They stay as they were, and so
    ///   does the time of the download.
    private func download(_ names: [String], into briefcase: inout Briefcase) async throws -> [String] {
        var reader = try reader()
        var rows = ShownRows(BriefcaseTables(), job)
        var refused: [String] = []
        do {
            defer { rows.clear() }
            _ = try await reader.read(whole: names, into: &rows)
        } catch let refusal as DataAdapterError where refusal.isRefusal && names.count > 1 {
            rows = ShownRows(BriefcaseTables(), job)
            defer { rows.clear() }
            for name in names {
                do {
                    await conclude(try await reader.read(TableQuery(name), into: &rows).notes, &reader)
                } catch let error as DataAdapterError where error.isRefusal && job.briefcase.isKept {
                    guard briefcase.table(name) != nil else { throw error }
                    rows.clear()
                    text.error("\(Printable(name)) stays as it was: \(DataFailure(error).message)")
                    refused.append(name)
                }
            }
            if refused.count == names.count { throw refusal }
        }
        for table in (rows.writer as? BriefcaseTables)?.tables ?? [] { briefcase.put(table) }
        let adapter = try server()
        briefcase.properties[Briefcase.endpointKey] = adapter.identity ?? adapter.name
        briefcase.properties[Briefcase.serviceKey] = adapter.service
        briefcase.properties[Briefcase.codePageKey] = adapter.codePage
        if refused.isEmpty { briefcase.properties[Briefcase.savedKey] = BriefcaseRecord.now }
        if job.briefcase.isKept { KeptSet.record(adapter, in: &briefcase) }
        if let version = job.briefcase.version { briefcase.version = version }
        for property in job.briefcase.properties {
            guard !Key.all.contains(property.name) else {
                throw DataFailure(.usage, "the property \(property.name) is set by relctl")
            }
            briefcase.properties[property.name] = property.text
        }
        return refused
    }

    /// - Parameter outcome: that of an apply, which was printed already unless a document is printed.
    private func report(_ briefcase: Briefcase, _ outcome: EditReport? = nil, conflicts: [JSONValue]? = nil) {
        let tables = BriefcaseRecord(briefcase, nil).tables
        if text.isDocument {
            var members: JSONObject = ["tables": tables.jsonValue]
            members["conflicts"] = conflicts.map { .array($0) }
            return outcome.map { report($0, members) } ?? text.write(members)
        }
        guard !job.output.isQuiet else { return }
        text.write(["TABLE", "ROWS", "PENDING"], tables.map { [$0.name, "\($0.rows)", "\($0.pending)"] })
    }
}

/// Collects whole tables.
private struct BriefcaseTables: RowConsumer {
    private(set) var tables: [DataTable] = []

    mutating func begin(_ table: TableHead) { tables.append(DataTable(table)) }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        let rows = indices.map { rows.selecting(Array(rows.columnTypes.indices), $0) } ?? rows
        try tables[tables.count - 1].append(rows)
    }

    func finish() {}
}
