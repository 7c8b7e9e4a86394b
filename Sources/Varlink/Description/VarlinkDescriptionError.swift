// SPDX-License-Identifier: Apache-2.0

/// Why a text is no interface definition.
public struct VarlinkDescriptionError: Error, Hashable {
    public enum Reason: Sendable, Hashable {
        case tooLong
        case tooDeep
        case expected(String)
        case invalidName(String)
        case duplicate(String)
        case undeclaredType(String)
    }

    /// Counted from 1.
    public let line: Int

    public let reason: Reason
}

extension VarlinkDescriptionError: CustomStringConvertible {
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
