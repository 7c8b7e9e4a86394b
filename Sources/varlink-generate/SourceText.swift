// SPDX-License-Identifier: Apache-2.0

/// Swift source that is put together line by line.
struct SourceText {
    private static let width = 120

    private(set) var text = ""
    private var level = 0

    /// Adds one line. An empty one is not indented.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: " ", count: 4 * level) + line }
        text += "\n"
    }

    /// Adds a block in braces.
    ///
    /// - Parameter head: what stands before the opening brace.
    mutating func block(_ head: String, _ body: (inout SourceText) throws -> Void) rethrows {
        line(head + " {")
        level += 1
        try body(&self)
        level -= 1
        line("}")
    }

    /// Adds a call or a declaration with its arguments, on one line if they fit.
    ///
    /// - Parameters:
    ///   - head: what stands before the opening parenthesis.
    ///   - tail: what stands behind the closing one.
    mutating func list(_ head: String, _ arguments: [String], _ tail: String) {
        let short = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        guard short.count + 4 * level > Self.width else { return line(short) }
        line("\(head)(")
        level += 1
        for (index, argument) in arguments.enumerated() {
            line(argument + (index + 1 < arguments.count ? "," : ""))
        }
        level -= 1
        line(")\(tail)")
    }

    /// Adds the lines of a text as a documentation comment.
    mutating func documentation(_ text: String) {
        guard !text.isEmpty else { return }
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            line(part.isEmpty ? "///" : "/// \(part)")
        }
    }

    /// Adds lines that are indented for more than this text.
    mutating func indented(_ body: (inout SourceText) throws -> Void) rethrows {
        level += 1
        try body(&self)
        level -= 1
    }
}
