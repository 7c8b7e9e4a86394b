// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a file of a configured login.
struct ConfiguredLoginFault: Error, Hashable, CustomStringConvertible {
    /// From 1; nil if it is wrong as a whole.
    var line: Int?
    /// Never quotes a value: it might be a password in the wrong line.
    let reason: String

    var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
