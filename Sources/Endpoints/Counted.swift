// SPDX-License-Identifier: Apache-2.0

/// A number with what is counted: `1 login`, `2 logins`, `1 entry`, `2 entries`.
package struct Counted: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Parameters:
    ///   - noun: for one of them.
    ///   - plural: for any other number; nil for the noun with an s behind.
    package init(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) {
        description = "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
