// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a chain, as far as it can be told. Any of these means that the files are not what was written.
package enum AuditFault: Sendable, Hashable, CustomStringConvertible {
    /// The line does not have the form of one.
    case unreadable
    /// Its content is not the one that its tag was made for.
    case changed
    /// Its tag was not made by this vault.
    case foreign
    /// Lines that should stand before this one.
    case missing(ClosedRange<UInt64>)
    /// It stands behind a line that came later, or comes twice.
    case misplaced(expected: UInt64, found: UInt64)
    /// The line before it is not the one that it was written after.
    case replaced
    /// Lines that should stand behind this one, the last.
    case truncated(ClosedRange<UInt64>)

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
