// SPDX-License-Identifier: Apache-2.0

/// The terminal session under a heading of a Markdown file: commands after `$ `, then their output, in which `…`
/// matches any text.
struct ConsoleSession {
    struct Step: Sendable {
        let command: String
        var output: [String] = []
    }

    let steps: [Step]

    /// - Returns: nil if there is no block ```console under the heading.
    init?(in text: String, under heading: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        lines = lines.drop { $0 != heading }.drop { $0 != "```console" }.dropFirst().prefix { $0 != "```" }
        var steps: [Step] = []
        for line in lines {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(String(line))
            }
        }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }

    /// Whether a line of output matches the session.
    static func matches(_ line: Substring, _ pattern: String) -> Bool {
        var parts = pattern.split(separator: "…", omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst(), let last = parts.popLast() else { return line == pattern }
        var rest = line
        guard rest.hasPrefix(first) else { return false }
        rest = rest.dropFirst(first.count)
        guard rest.hasSuffix(last) else { return false }
        rest = rest.dropLast(last.count)
        for part in parts {
            guard let position = rest.position(after: part) else { return false }
            rest = rest[position...]
        }
        return true
    }
}

extension Substring {
    fileprivate func position(after part: Substring) -> Index? {
        guard !part.isEmpty else { return startIndex }
        return indices.first { self[$0...].hasPrefix(part) }.map { index($0, offsetBy: part.count) }
    }
}
