// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataJobs
import Endpoints
import Glibc
import LocalAPI
import Platform

/// The amount of output of a command about data, and `--json`.
extension OutputOptions {
    /// Sets what is the same for all formats.
    func apply(to output: inout JobOutput, isFile: Bool = false) {
        let style = isFile ? Style.plain : .ofOutput
        output.isTerminal = !isFile && Terminal.outputIsTerminal
        output.columns = isFile ? nil : Terminal.outputColumns.map(Int64.init)
        (output.isColoured, output.isUnicode) = (style.isColoured, style.isUnicode)
        output.isQuiet = isQuiet
        // A bar between the rows would disturb them.
        output.showsProgress = !isQuiet && Terminal.errorIsTerminal && !output.isTerminal
        if isJSON { output.format = .document }
    }
}

/// The format and the destination of rows.
struct RowOutput: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, csv, json, jsonl, bin2
    }

    enum Numbers: String, ExpressibleByArgument, CaseIterable {
        case number, text
    }

    @OptionGroup var output: OutputOptions
    @Option(help: "The format of the rows.")
    var format: Format?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The text of NULL in the formats table and csv.", valueName: "text")
    )
    var null: String?
    @Option(help: "Numbers of Int64, Decimal and Currency in JSON: as a number, or as text with every digit.")
    var numbers = Numbers.number
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
        job.output.format = format.flatMap { JobOutput.Format(rawValue: $0.rawValue) } ?? .table
        output.apply(to: &job.output, isFile: to != nil)
        job.output.nullText = null
        job.output.numbersAreText = numbers == .text
        guard job.output.format != .bin2 || !job.output.isTerminal else {
            throw Failure(.usage, "bin2 is not text: use --to FILE or a pipe")
        }
    }
}

/// A file that is written to the side, and renamed when it is complete.
struct SideFile: ~Copyable {
    private let path: String
    private let side: String
    private let descriptor: Int32

    /// Calls `body` with the descriptor of the file. Unless it returns success, nothing remains of the file.
    ///
    /// - Parameter body: returns an exit status.
    static func fill(_ path: String, _ body: (Int32) throws -> Int32) throws -> Int32 {
        let file = try SideFile(OutputPath(path))
        do {
            let status = try body(file.descriptor)
            if status == ExitStatus.done.rawValue { try file.keep() } else { file.discard() }
            return status
        } catch {
            file.discard()
            throw error
        }
    }

    private init(_ place: OutputPath) throws(PlatformError) {
        path = place.path
        side = place.isDirect ? place.path : "\(place.path).\(getpid()).part"
        let flags = place.isDirect ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL
        descriptor = open(side, flags | O_CLOEXEC | O_NOCTTY, 0o666)
        guard descriptor >= 0 else { throw .system(call: "open", subject: side, errno: errno) }
    }

    deinit { close(descriptor) }

    /// Gives the file its name.
    private func keep() throws {
        guard side != path else { return }
        guard try !OutputPath(path).isDirect else { throw OutputPath.refusal(path) }
        guard fsync(descriptor) == 0, rename(side, path) == 0 else {
            throw PlatformError.system(call: "rename", subject: path, errno: errno)
        }
    }

    /// Removes what was written.
    private func discard() {
        if side != path { unlink(side) }
    }
}

/// The path of a file for rows: a regular file, or one that does not exist yet, or a terminal, a similar device or a pipe.
struct OutputPath {
    /// The path without symbolic links, so that the file is replaced and not a link to it.
    let path: String
    /// Whether rows are written to what the path is, which cannot be replaced.
    let isDirect: Bool

    /// - Throws: a usage failure for anything else, such as a directory, a disk or a socket.
    init(_ path: String) throws {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            // A link to a file that does not exist would be replaced.
            guard lstat(path, &facts) != 0 else { throw Self.refusal(path) }
            (self.path, isDirect) = (path, false)
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFCHR, S_IFIFO: (self.path, isDirect) = (path, true)
        case S_IFREG:
            guard let real = realpath(path, nil) else {
                throw PlatformError.system(call: "realpath", subject: path, errno: errno)
            }
            defer { free(real) }
            (self.path, isDirect) = (String(cString: real), false)
        default: throw Self.refusal(path)
        }
    }

    static func refusal(_ path: String) -> Failure {
        Failure(.usage, "\(Printable(path)) exists and is no regular file")
    }
}

/// Reads a file that an option names.
enum InputText {
    private static let maximumBytes = 8 << 20

    /// - Parameter path: `-` is standard input.
    /// - Throws: `PlatformError`; a usage failure if the file is not UTF-8.
    static func read(_ path: String) throws -> String {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw PlatformError.system(call: "open", subject: path, errno: errno) }
        defer { close(descriptor) }
        let bytes = try OpenFile.readAll(descriptor, path: path, maximumBytes: maximumBytes)
        // Some editors of Windows write a byte order mark.
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let content = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Failure(.usage, "'\(Printable(path))' is not text in UTF-8")
        }
        return text
    }
}
