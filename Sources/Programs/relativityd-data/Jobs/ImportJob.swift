// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import DataJobs
import Endpoints
import Glibc
import JSON

extension JobRunner {
    /// The records of unknown outcome that are named one by one. A lost reply concerns thousands.
    private static let mostUnknown = 3

    /// Inserts and updates the rows of a file.
    ///
    /// - Returns: the exit status.
    func importRows() async throws -> Int32 {
        let name = job.edit.importDescriptor == nil ? job.edit.importPath ?? "" : "standard input"
        let format = job.edit.importFormat.flatMap(ImportSource.Format.init(rawValue:))
        let descriptor =
            job.edit.importDescriptor.flatMap(Int32.init(exactly:)) ?? open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let status: JobFailure.Status = errno == ENOENT ? .notFound : .failed
            throw JobFailure(status, "cannot read \(Printable(name)): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var line = ProgressLine(job.output)
        let report: TableImport.Report
        do {
            var source = try ImportSource(descriptor, format)
            report = try await importRows(of: &source) { line.show("\(Counted($0, "row"))") }
        } catch let error as ImportSourceError {
            throw JobFailure(.usage, "\(Printable(name)): \(error.sentence)")
        }
        line.clear()
        show(report, name)
        if let stop = report.stop { return stop.status.rawValue }
        return report.failed == 0 ? EXIT_SUCCESS : JobFailure.Status.someFailed.rawValue
    }

    private func importRows(
        of source: inout ImportSource,
        progress: (Int) -> Void
    ) async throws -> TableImport.Report {
        let (table, isDryRun) = (job.tables[0], job.edit.isDryRun)
        guard !path.isEmpty else {
            let reader = try reader()
            var run = try await TableImport(reader, into: table, match: job.keys, isDryRun: isDryRun)
            guard run.needsCheck else { return try await run.run(&source, progress: progress) }
            let (repetition, copied) = try source.repetition(in: reader.temporaryDirectory)
            defer { if let copied { close(copied) } }
            var check = run.dryRun
            let report = try await check.run(&source, progress: progress)
            guard report.unknownTexts == 0 else { return report.refused }
            source = try repetition.begin()
            return try await run.run(&source, progress: progress)
        }
        var (file, briefcase) = try openBriefcase()
        var changes = try changeSet(of: briefcase, table)
        let report = try TableImport.run(
            &source,
            into: table,
            match: job.keys,
            offline: &changes,
            progress: progress
        )
        guard !isDryRun else { return report }
        briefcase.changes = changes.hasChanges ? changes : nil
        // The rows are as they were.
        try file.save(briefcase, tables: [])
        return report
    }

    /// - Parameter name: the name of the file with the rows.
    private func show(_ report: TableImport.Report, _ name: String) {
        if text.isDocument {
            var object: JSONObject = [
                "inserted": .integer(Int64(report.inserted)), "updated": .integer(Int64(report.updated)),
                "unchanged": .integer(Int64(report.unchanged)), "failed": .integer(Int64(report.failed)),
                "unknown": .integer(Int64(report.unknown)),
                "failures": .array(
                    report.failures.map { ["line": .integer(Int64($0.line)), "message": .string($0.reason.sentence)] }
                ),
            ]
            object["stop"] = report.stop.map { .string($0.sentence) }
            text.write(object)
        } else if !job.output.isQuiet {
            let counts = [
                (report.inserted, "inserted"), (report.updated, "updated"), (report.unchanged, "unchanged"),
                (report.failed - report.unknown, "failed"), (report.unknown, "of unknown outcome"),
            ]
            let parts = counts.filter { $0.0 > 0 || $0.1 == "inserted" }.map { "\($0.0) \($0.1)" }
            let start = job.edit.isDryRun ? "would be: " : path.isEmpty ? "" : "pending: "
            text.write(line: start + parts.joined(separator: ", "))
        }
        let unknown = report.failures.filter { $0.reason == .unknown }
        let known = report.failures.filter { $0.reason != .unknown }
        for failure in known + unknown.prefix(Self.mostUnknown) {
            let line = "\(Printable(name)):\(failure.line): \(failure.reason.sentence)"
            Main.writeError("relctl: error: \(Printable(again: line))\n")
        }
        let others = [
            (report.failed - report.unknown - known.count, "failed"),
            (report.unknown - Self.mostUnknown, "have an unknown outcome"),
        ]
        for (count, state) in others where count > 0 {
            Main.writeError("relctl: error: \(Printable(name)): \(count) more lines \(state)\n")
        }
        if let stop = report.stop {
            let reason = "the import ended early: \(stop.sentence)"
            Main.writeError("relctl: error: \(Printable(name)): \(Printable(again: reason))\n")
        }
    }
}

extension TableImport.Reason {
    /// A sentence for the user. Untrusted parts are escaped.
    fileprivate var sentence: String {
        switch self {
        case .edit(let error): JobFailure(error).message
        case .severalRows(let count): "\(count) rows of the table have these values: use other fields for --match"
        case .rejected(let message): "\(Printable(message))"
        case .conflict(let conflict):
            conflict.kind == .missing ? "the server no longer has the row" : "another client changed the row"
        case .notProcessed: "the server did not process the row"
        case .unknown: "the outcome is unknown"
        }
    }
}

extension TableImport.Stop {
    fileprivate var status: JobFailure.Status {
        switch self {
        case .apply(.refused, _): .serverException
        case .unknownTexts: .someFailed
        case .apply, .source: .failed
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .source(let error): error.sentence
        case .unknownTexts: "nothing was sent, because of these texts"
        case .apply(let failure, let line): "at line \(line): \(failure.sentence)"
        }
    }
}

extension ImportSourceError {
    fileprivate var sentence: String {
        switch self {
        case .system(let errno): "cannot be read: \(String(cString: strerror(errno)))"
        case .tooLarge(let line): "line \(line): the record is too large"
        case .badQuotes(let line): "line \(line): a quote is not in its place"
        case .fieldCount(let line, let found, let expected):
            "line \(line): \(Counted(found, "field")), and the heading has \(expected)"
        case .notUTF8(let line): "line \(line): not UTF-8"
        case .badHeading: "the first line must have the names of the fields, each once"
        case .badObject(let line): "line \(line): not an object of JSON with simple values"
        }
    }
}
