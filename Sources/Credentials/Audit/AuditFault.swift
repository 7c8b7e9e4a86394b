// SPDX-License-Identifier: Apache-2.0

/// A fault in the chain, as exactly as it can be determined. Each of these means that the files were changed after
/// they were written.
package enum AuditFault: Sendable, Hashable, CustomStringConvertible {
    /// The line does not have the form of a log line.
    case unreadable
    /// The content of the line does not match its tag.
    case changed
    /// The tag was not made by this vault.
    case foreign
    /// Lines before this one are missing.
    case missing(ClosedRange<UInt64>)
    /// The line appears after a later one, or appears twice.
    case misplaced(expected: UInt64, found: UInt64)
    /// The line before it is not the one that it was written after.
    case replaced
    /// Lines after this one, the last, are missing.
    case truncated(ClosedRange<UInt64>)

    /// The fault, as a phrase for people.
    package var description: String {
        switch self {
        case .unreadable: "the line is none of the log"
        case .changed: "the line was changed"
        case .foreign: "the line's tag is foreign: it was not made by this vault"
        case .missing(let lines):
            "\(Self.text(lines)) missing before it (taken away, or the vault was restored from a machine that has them)"
        case .misplaced(let expected, let found): "it is line \(found), where line \(expected) belongs"
        case .replaced: "the line before it was replaced"
        case .truncated(let lines): "\(Self.text(lines)) missing at the end"
        }
    }

    private static func text(_ lines: ClosedRange<UInt64>) -> String {
        lines.count == 1 ? "line \(lines.lowerBound) is" : "lines \(lines.lowerBound) to \(lines.upperBound) are"
    }
}
