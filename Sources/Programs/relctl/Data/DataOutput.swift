// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints
import Glibc
import LocalAPI
import Platform

/// The amount of output of a command about data, and `--json`.
extension OutputOptions {
    /// Sets what is the same for all formats.
    func apply(to output: inout JobOutput) {
        output.isTerminal = Terminal.outputIsTerminal
        output.columns = Terminal.outputColumns.map(Int64.init)
        output.isColoured = Style.ofOutput.isColoured
        output.isQuiet = isQuiet
        // A bar between the rows would disturb them.
        output.showsProgress = !isQuiet && Terminal.errorIsTerminal && !output.isTerminal
        if isJSON { output.format = .document }
    }

    /// Sets the same for a result that is written to a path that the user named; nil for standard output.
    ///
    /// - Throws: the errors of `ResultPlace`.
    func apply(to output: inout JobOutput, writingTo path: String?) throws {
        let place = try path.map(ResultPlace.init) ?? .descriptor(STDOUT_FILENO)
        apply(to: &output)
        guard place != .descriptor(STDOUT_FILENO) else { return }
        (output.isTerminal, output.columns) = (place.isTerminal, nil)
        output.isColoured = Style.plain.isColoured
        output.showsProgress = !isQuiet && Terminal.errorIsTerminal && !output.isTerminal
    }
}

extension JobOutput.Format: ExpressibleByArgument {
    /// The formats that a user can name. `document` is that of `--json`, and `arrowFile` that of a name.
    private static let named = allCases.filter { $0 != .document && $0 != .arrowFile }

    /// The names, for help and completion.
    public static var allValueStrings: [String] { named.map(\.rawValue) }

    /// Reads a name that a user typed.
    public init?(argument: String) {
        guard let format = Self.named.first(where: { $0.rawValue == argument }) else { return nil }
        self = format
    }
}

/// The format and the destination of rows.
struct RowOutput: ParsableArguments {
    enum Numbers: String, ExpressibleByArgument, CaseIterable {
        case number, text
    }

    @OptionGroup var output: OutputOptions
    @Option(help: "The format of the rows; by default that of the name of --to, or table.")
    var format: JobOutput.Format?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The text of NULL in the formats table, csv and tsv.", valueName: "text")
    )
    var null: String?
    @Option(help: "Numbers of Int64, Decimal and Currency in JSON: as a number, or as text with every digit.")
    var numbers = Numbers.number
    @Option(
        help: ArgumentHelp(
            "The type of Decimal in the format arrow, such as 18,4, text, or float, also for Currency.",
            valueName: "digits"
        )
    )
    var decimal: String?
    @Option(
        help: ArgumentHelp("Write to this file, which is replaced when it is complete.", valueName: "file"),
        completion: .file()
    )
    var to: String?

    func validate() throws {
        if to?.isEmpty == true { throw ValidationError("--to is empty") }
        if output.isJSON, format != nil { throw ValidationError("--json and --format cannot be used together") }
    }

    /// - Throws: a usage failure for bytes on a terminal.
    func apply(to job: inout DataJob) throws {
        try output.apply(to: &job.output, writingTo: to)
        job.output.format = chosenFormat ?? .table
        if let to {
            let choice = try FileFormat(to, chosen: chosenFormat)
            job.output.format = choice.format
            if let note = choice.note { output.note("relctl: note: \(note)\n") }
        }
        job.output.nullText = null
        job.output.numbersAreText = numbers == .text
        let format = job.output.format
        guard decimal == nil || format == .arrow || format == .arrowFile else {
            throw Failure(.usage, "--decimal is for --format arrow")
        }
        if let null, format == .csv || format == .tsv { try Self.checkNull(null, in: format) }
        job.output.decimal = decimal
        guard !format.isBinary || !job.output.isTerminal else {
            throw Failure(.usage, "\(format.rawValue) is not text: use --to FILE or a pipe")
        }
    }

    /// - Throws: a usage failure for a text that a reader would divide.
    private static func checkNull(_ text: String, in format: JobOutput.Format) throws(Failure) {
        let separator = format == .csv ? "," : "\t"
        guard text.unicodeScalars.contains(where: { "\(separator)\"\r\n".unicodeScalars.contains($0) }) else { return }
        let name = format == .csv ? "comma" : "tab"
        throw Failure(
            .usage,
            "--null '\(Printable(text))' would be no field of \(format.rawValue): it has a \(name), a quote or a line end"
        )
    }

    /// The format that the user named; nil for none.
    var chosenFormat: JobOutput.Format? { output.isJSON ? .document : format }
}

/// The format of rows in a file that the user named.
struct FileFormat: Hashable {
    let format: JobOutput.Format
    /// A sentence for the user if the name of the file shows another format; nil otherwise.
    let note: String?

    /// - Parameter chosen: the format that the user named, which wins; nil for that of the name of the file.
    /// - Throws: a usage failure for an SQLite database, and for an extension of no format if none is chosen.
    init(_ path: String, chosen: JobOutput.Format?) throws(Failure) {
        let shown: Set<JobOutput.Format>
        let named = NamedFormat(of: path)
        let chosen = named == .rows(.arrowFile) && chosen == .arrow ? .arrowFile : chosen
        switch named {
        case .database:
            throw Failure(
                .usage,
                "\(Printable(path)): rows in this format are no SQLite database",
                hint: "relctl table export --help"
            )
        case .other(let suffix) where chosen == nil:
            let list = NamedFormat.extensions
            throw Failure(.usage, "\(Printable(path)): no format for \(Printable(suffix)): use --format, or \(list)")
        case .other: shown = []
        case .plain: shown = [chosen ?? .table]
        case .rows(.json): shown = [.json, .document]
        case .rows(let format): shown = [format]
        }
        format = chosen ?? (shown.contains(.json) ? .json : shown.first) ?? .table
        let name = format == .document ? "json" : format.rawValue
        note = shown.contains(format) ? nil : "\(Printable(path)) is written as \(name), which its name does not show"
    }
}

/// Reads a file that an option names.
enum InputText {
    private static let maximumBytes = 8 << 20

    /// Reads text in UTF-8.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: `PlatformError`; a usage failure if the file is not UTF-8.
    static func read(_ path: String) throws -> String {
        let bytes = try UserPath.read(path, maximumBytes: maximumBytes)
        // Some editors of Windows write a byte order mark.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Failure(.usage, "'\(Printable(path))' is not text in UTF-8")
        }
        return text
    }

    /// Reads XML or JSON in the encoding that it declares.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: `PlatformError`; a usage failure for an encoding that is not supported.
    static func document(_ path: String) throws -> String {
        do {
            return try DocumentText.decode(try UserPath.read(path, maximumBytes: maximumBytes))
        } catch let error as DocumentText.UnknownEncoding {
            throw Failure(.usage, "'\(Printable(path))': \(Printable(again: "\(error)"))")
        }
    }
}
