// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI

/// Prints text and JSON as the output of a job demands.
extension JobOutput {
    private static let schemaVersion: Int64 = 1

    var isDocument: Bool { format == .document }

    /// Prints one object, with the version of its schema.
    func write(_ object: JSONObject) {
        var versioned: JSONObject = ["schemaVersion": .integer(Self.schemaVersion)]
        for (key, value) in object { versioned[key] = value }
        Main.write(escaped(String(decoding: JSONValue.object(versioned).serialized(), as: UTF8.self)))
    }

    /// Prints named values; a single one without its name.
    func write(results: JSONObject, as member: String) {
        guard !isDocument else { return write([member: .object(results)]) }
        for (name, value) in results {
            let text = value.stringValue ?? String(decoding: value.serialized(), as: UTF8.self)
            write(line: results.count == 1 ? text : "\(name)\t\(text)")
        }
    }

    /// Prints lines of text.
    func write(line text: String) { Main.write(escaped(text)) }

    /// Prints a text as it is, or escaped to a terminal.
    ///
    /// - Parameter member: its name in JSON.
    func write(file text: String, as member: String) {
        guard !isDocument else { return write([member: .string(text)]) }
        Main.write(isTerminal ? escaped(text) : Array(text.utf8))
    }

    /// Prints rows in columns, under a heading.
    func write(_ heading: [String], _ rows: [[String]]) {
        let lines = ([heading] + rows).map { $0.map { "\(Printable($0))" } }
        let widths = heading.indices.map { index in lines.map { Printable.width(of: $0[index]) }.max() ?? 0 }
        for line in lines {
            let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - Printable.width(of: $0)) }
            var text = cells.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            Main.write(Array((text + "\n").utf8))
        }
    }

    /// Prints an object, or a line unless lines are left out.
    func tell(_ object: @autoclosure () -> JSONObject, else line: @autoclosure () -> String) {
        if isDocument { write(object()) } else if !isQuiet { write(line: line()) }
    }

    /// Prints an error on standard error. The job goes on.
    func error(_ text: String) { Main.writeError("relctl: error: \(Printable(again: text))\n") }

    /// Prints a note on standard error.
    func note(_ text: String) {
        if !isQuiet { Main.writeError("relctl: note: \(Printable(again: text))\n") }
    }

    /// Prints a warning on standard error, also if notes are left out.
    func warn(_ text: String) { Main.writeError("relctl: warning: \(Printable(again: text))\n") }

    private func escaped(_ text: String) -> [UInt8] {
        guard isTerminal else { return Array((text + "\n").utf8) }
        // A line break in a text of several lines is no control character to escape.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.map { "\(Printable(again: String($0)))\n" }.joined().utf8)
    }
}

/// A line on standard error with the number of rows, replaced by each new one.
struct ProgressLine {
    private static let interval = Duration.milliseconds(100)

    private let isShown: Bool
    private var next = ContinuousClock.now + interval
    private var isDirty = false

    init(_ output: JobOutput) {
        isShown = output.showsProgress
    }

    /// - Parameter total: the number of rows as the reply announces it.
    mutating func show(rows: Int, of total: Int, _ progress: ReplyProgress) {
        show(Self.text(rows: rows, of: total, progress))
    }

    mutating func show(_ text: @autoclosure () -> String) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + Self.interval
        isDirty = true
        Main.writeError("\r\u{1B}[Krelctl: \(text())")
    }

    /// The rows, and the bytes that were received of those expected. A compressed reply does not announce its size; its
    /// share is that of the rows.
    static func text(rows: Int, of total: Int, _ progress: ReplyProgress) -> String {
        let received = progress.bytesReceived
        let (part, whole) = progress.bytesExpected.map { (received, $0) } ?? (rows, total)
        let expected = progress.bytesExpected.map { " of \(megabytes($0))" } ?? ""
        let share = whole > part ? ", \(Int(100 * Double(part) / Double(whole))) %" : ""
        let count = rows > 0 ? "\(Counted(rows, "row")), " : ""
        return "\(count)\(megabytes(received))\(expected) MB\(share)"
    }

    private static func megabytes(_ bytes: Int) -> String { "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" }

    mutating func clear() {
        if isDirty { Main.writeError("\r\u{1B}[K") }
        isDirty = false
    }
}
