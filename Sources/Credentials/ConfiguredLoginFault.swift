// SPDX-License-Identifier: Apache-2.0

/// An error in the file of a configured login.
struct ConfiguredLoginFault: Error, Hashable, CustomStringConvertible {
    /// The line number, from 1; nil if the error concerns the whole file.
    var line: Int?
    /// The reason. It never quotes a value, which might be a password in the wrong line.
    let reason: String

    var description: String { line.map { "line \($0): \(reason)" } ?? reason }
}
