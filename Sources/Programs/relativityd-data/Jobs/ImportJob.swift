// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI

extension JobRunner {
    /// The records of unknown outcome that are named one by one. A lost reply concerns thousands.
    private static let mostUnknown = 3

    /// Inserts and updates the rows of a file.
    ///
    /// - Returns: the exit status.
    func importRows() async throws -> Int32 {
        let name = job.input.name
        var line = ProgressLine(job.output)
        var source: ImportSource
        do throws(ImportSourceError) {
            source = try ImportSource(Int32(clamping: job.input.descriptor), job.input.importFormat)
        } catch {
            throw DataFailure(.usage, "\(Printable(name)): \(error.sentence)")
        }
        if source.delimiter == nil, job.input.isForCSV {
            throw DataFailure(.usage, "\(Printable(name)): --null, --delimiter and --decimal are for CSV")
        }
        let report: TableImport.Report
        do {
            report = try await importRows(of: &source) { line.show("\(Counted($0, "row"))") }
        } catch let error as ImportSourceError {
            throw DataFailure(.usage, "\(Printable(name)): \(error.sentence)")
        } catch TableEditError.refused(let table, .unknownField(let unknown)) where source.heading == [unknown.name] {
            let separator =
                source.delimiter.map { $0 == UInt8(ascii: "\t") ? "a tab" : "'\(UnicodeScalar($0))'" } ?? ""
            throw DataFailure(
                .usage,
                "\(Printable(table)) has no field \(Printable(unknown.name)), the only name in the first line: if it is several "
                    + "names, they are not separated by \(separator): use --delimiter"
            )
        }
        line.clear()
        show(report, name)
        if let stop = report.stop {
            return stop.status.after(changes: report.inserted + report.updated + report.unknown).rawValue
        }
        return report.failed == 0 ? EXIT_SUCCESS : ExitStatus.someFailed.rawValue
    }

    private func importRows(
        of source: inout ImportSource,
        progress: (Int) -> Void
    ) async throws -> TableImport.Report {
        let (table, isDryRun) = (try self.table(), job.edit.isDryRun)
        let forms = try job.input.forms
        guard !path.isEmpty else {
            let reader = try reader()
            var run = try await TableImport(reader, into: table, match: job.keys, forms, isDryRun: isDryRun)
            guard run.needsCheck else { return try await run.run(&source, progress: progress) }
            let (repetition, copied) = try source.repetition(in: reader.temporaryDirectory)
            defer { if let copied { close(copied) } }
            var check = run.dryRun
            let report = try await check.run(&source, progress: progress)
            guard report.unknownTexts == 0 else { return report.refused }
            if let stop = report.stop { return TableImport.Report(stoppedBefore: stop) }
            source = try repetition.begin()
            return try await run.run(&source, progress: progress)
        }
        var (file, briefcase) = try openBriefcase()
        var changes = try changeSet(of: briefcase, table)
        let report = try TableImport.run(
            &source,
            into: table,
            match: job.keys,
            forms,
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
        let forms = (try? job.input.forms) ?? ImportForms()
        var object: JSONObject = [
            "inserted": .integer(Int64(report.inserted)), "updated": .integer(Int64(report.updated)),
            "unchanged": .integer(Int64(report.unchanged)), "failed": .integer(Int64(report.failed)),
            "unknown": .integer(Int64(report.unknown)),
            "failures": .array(
                report.failures.map {
                    ["line": .integer(Int64($0.line)), "message": .string($0.reason.sentence(forms))]
                }
            ),
        ]
        object["stop"] = report.stop.map { .string($0.sentence) }
        let counts = [
            (report.inserted, "inserted"), (report.updated, "updated"), (report.unchanged, "unchanged"),
            (report.failed - report.unknown, "failed"), (report.unknown, "of unknown outcome"),
        ]
        let parts = counts.filter { $0.0 > 0 || $0.1 == "inserted" }.map { "\($0.0) \($0.1)" }
        let start = job.edit.isDryRun ? "would be: " : path.isEmpty ? "" : "pending: "
        text.tell(object, else: start + parts.joined(separator: ", "))
        let unknown = report.failures.filter { $0.reason == .unknown }
        let known = report.failures.filter { $0.reason != .unknown }
        for failure in known + unknown.prefix(Self.mostUnknown) {
            text.error("\(Printable(name)):\(failure.line): \(failure.reason.sentence(forms))")
        }
        let others = [
            (report.failed - report.unknown - known.count, "failed"),
            (report.unknown - Self.mostUnknown, "have an unknown outcome"),
        ]
        for (count, state) in others where count > 0 {
            text.error("\(Printable(name)): \(count) more lines \(state)")
        }
        if let stop = report.stop { text.error("\(Printable(name)): the import ended early: \(stop.sentence)") }
    }
}

extension TableImport.Reason {
    /// A sentence for the user. Untrusted parts are escaped.
    ///
    /// - Parameter forms: the forms of the values in the file.
    fileprivate func sentence(_ forms: ImportForms) -> String {
        switch self {
        case .edit(let error): DataFailure(error).message + (error.advice(forms).map { "; \($0)" } ?? "")
        case .severalRows(let count): "\(count) rows of the table have these values: use other fields for --match"
        case .rejected(let message): "\(Printable(message))"
        case .conflict(let conflict): conflict.sentence
        case .notProcessed: "the server did not process the row"
        case .unknown: "the outcome is unknown"
        }
    }
}

extension TableEditError {
    /// What makes a value of the one that was refused; nil if nothing is known.
    fileprivate func advice(_ forms: ImportForms) -> String? {
        guard case .invalidValue(_, _, let type, let text?) = self else { return nil }
        return switch forms.advice(on: text, as: type) {
        case .zone: "it has a time zone, which a DateTime has not: use --zone ZONE or --zone drop"
        case .decimalComma: "it has a decimal comma: use --decimal ,"
        case nil: nil
        }
    }
}

extension TableImport.Stop {
    fileprivate var status: ExitStatus {
        switch self {
        case .apply(let failure, _): failure.status
        case .unknownTexts: .someFailed
        case .source: .failed
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
        case .badQuotes(let line):
            "line \(line): a quote is not in its place: a text with quotes is in quotes, and has \"\" for each"
        case .openQuote(let line): "line \(line): the text in quotes that begins here does not end"
        case .fieldCount(let line, let found, let expected):
            "line \(line): \(Counted(found, "field")), and the heading has \(expected)"
        case .notUTF8(let line): "line \(line): not UTF-8"
        case .badHeading: "the first line must have the names of the fields, each once"
        case .badObject(let line, let fault): "line \(line): not an object of JSON with simple values\(fault.reason)"
        case .openArray(let line): "line \(line): the array of JSON does not end"
        }
    }
}

extension ObjectFault {
    /// The end of a sentence; empty if it adds nothing.
    fileprivate var reason: String {
        switch self {
        case .notAnObject: ""
        case .nested(let name): ": the value of '\(Printable(name))' is an array or an object"
        case .syntax(let reason): ": \(reason.rawValue)"
        }
    }
}

extension JobInput {
    /// Whether an option is given that other formats than CSV do not have.
    fileprivate var isForCSV: Bool { nullText != nil || delimiter != nil || hasDecimalComma }

    fileprivate var importFormat: ImportFormat {
        var result = ImportFormat(format.map { [.csv, .tsv].contains($0) ? .csv : .json })
        (result.nullText, result.delimiter) = (nullText, delimiter.flatMap { UInt8(exactly: $0) })
        if format == .tsv { result.usualDelimiter = UInt8(ascii: "\t") }
        return result
    }

    /// - Throws: `DataFailure` for an offset that is none.
    fileprivate var forms: ImportForms {
        get throws {
            var forms = ImportForms()
            forms.hasDecimalComma = hasDecimalComma
            switch zone {
            case nil: break
            case "drop": forms.zone = .dropped
            case _ where namesProcessZone: forms.zone = .process
            case let zone?:
                guard let seconds = ZonedTime.offset(zone) else {
                    throw DataFailure(.usage, "\(Printable(zone)) is no offset such as +01:00")
                }
                forms.zone = .offset(seconds: seconds)
            }
            return forms
        }
    }

    /// Whether the zone is that of the process.
    private var namesProcessZone: Bool {
        guard let zone else { return false }
        return zone != "drop" && zone != "Z" && !["+", "-"].contains(zone.prefix(1))
    }

    /// Makes the named zone that of the process. For the main thread, before there are others.
    func setProcessZone() {
        guard namesProcessZone, let zone else { return }
        setenv("TZ", ":\(zone)", 1)
        tzset()
    }
}
