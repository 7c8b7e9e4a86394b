// SPDX-License-Identifier: Apache-2.0

import DataJobs
import Endpoints
import JSON

/// Prints text and JSON as the output of a job demands.
struct JobText {
    private static let schemaVersion: Int64 = 1

    private let output: JobOutput

    init(_ output: JobOutput) {
        self.output = output
    }

    /// Prints one object, with the version of its schema.
    func write(_ object: JSONObject) {
        var versioned: JSONObject = ["schemaVersion": .integer(Self.schemaVersion)]
        for (key, value) in object { versioned[key] = value }
        Main.write(escaped(String(decoding: JSONValue.object(versioned).serialized(), as: UTF8.self)))
    }

    /// Prints lines of text.
    func write(line text: String) { Main.write(escaped(text)) }

    /// Prints rows in columns, under a heading.
    func write(_ heading: [String], _ rows: [[String]]) {
        let lines = ([heading] + rows).map { $0.map { output.isTerminal ? "\(Printable($0))" : $0 } }
        let widths = heading.indices.map { index in lines.map { $0[index].count }.max() ?? 0 }
        for line in lines {
            let cells = zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var text = cells.joined(separator: "  ")
            while text.last == " " { text.removeLast() }
            Main.write(Array((text + "\n").utf8))
        }
    }

    /// Prints a note on standard error.
    func note(_ text: String) {
        if !output.isQuiet { Main.writeError("relctl: note: \(Printable(again: text))\n") }
    }

    private func escaped(_ text: String) -> [UInt8] {
        guard output.isTerminal else { return Array((text + "\n").utf8) }
        // A line break in a text of several lines is no control character to escape.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.map { "\(Printable(again: String($0)))\n" }.joined().utf8)
    }
}
