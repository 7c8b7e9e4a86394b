// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A text file of commands, each after `$ `, with its output below, and `[exit N]` if N is not 0.
///
/// Standard output and standard error are one text. A word in angle brackets matches text that differs between runs,
/// and a line of three dots matches any number of lines. Lines with `#` before the first command are comments.
struct Script {
    struct Step {
        let command: String
        var expected: [String] = []
        var status: Int32 = 0
    }

    /// The placeholders as regular expressions.
    private static let placeholders = [
        "id": "[0-9a-f-]{8,}", "port": "[0-9]{1,5}", "number": "[0-9]+", "fingerprint": "[0-9a-f]{64}",
        "time": "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}", "day": "[0-9]{4}-[0-9]{2}-[0-9]{2}", "word": "[^ ]+",
        "text": ".+",
    ]

    let name: String
    private(set) var steps: [Step] = []

    init(name: String, _ text: String) throws {
        self.name = name
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if let last = steps.indices.last {
                if let exit = line.wholeMatch(of: /\[exit (\d+)\]/) {
                    steps[last].status = Int32(exit.1) ?? -1
                } else if !line.isEmpty {
                    steps[last].expected.append(line)
                }
            } else if !line.isEmpty, !line.hasPrefix("#") {
                throw Malformed(line: line)
            }
        }
    }

    struct Malformed: Error { let line: String }

    /// Whether lines of output match the expected lines of a step.
    static func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) throws -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        if first == "..." {
            return try (lines.startIndex...lines.endIndex).contains { try matches(lines[$0...], expected.dropFirst()) }
        }
        guard let line = lines.first, try line.wholeMatch(of: pattern(of: first)) != nil else { return false }
        return try matches(lines.dropFirst(), expected.dropFirst())
    }

    private static func pattern(of line: String) throws -> Regex<Substring> {
        var pattern = ""
        var rest = line[...]
        while let open = rest.firstIndex(of: "<") {
            let name = rest[open...].dropFirst().prefix { $0 != ">" }
            pattern += literal(rest[..<open])
            let placeholder = placeholders[String(name)]
            pattern += placeholder ?? "<"
            rest = placeholder == nil ? rest[open...].dropFirst() : rest[name.endIndex...].dropFirst()
        }
        return try Regex(pattern + literal(rest), as: Substring.self)
    }

    private static func literal(_ text: Substring) -> String {
        text.reduce(into: "") { $0 += $1.isLetter || $1.isNumber || $1 == " " ? String($1) : "\\\($1)" }
    }
}
