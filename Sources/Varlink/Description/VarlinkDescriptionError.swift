// SPDX-License-Identifier: Apache-2.0

/// The reason why a text is not an interface definition.
public struct VarlinkDescriptionError: Error, Hashable {
    /// The kind of mistake.
    public enum Reason: Sendable, Hashable {
        case tooLong
        case tooDeep
        case expected(String)
        case invalidName(String)
        case duplicate(String)
        case undeclaredType(String)
    }

    /// The line number, counted from 1.
    public let line: Int

    /// The mistake in this line.
    public let reason: Reason
}

extension VarlinkDescriptionError: CustomStringConvertible {
    /// The mistake with its line, as a fragment of a sentence.
    public var description: String {
        switch reason {
        case .tooLong: "definition longer than allowed"
        case .tooDeep: "line \(line): types nested deeper than allowed"
        case .expected(let what): "line \(line): \(what) expected"
        case .invalidName(let name): "line \(line): \"\(name)\" is no valid name"
        case .duplicate(let name): "line \(line): \(name) is declared twice"
        case .undeclaredType(let name): "line \(line): type \(name) is not declared"
        }
    }
}
