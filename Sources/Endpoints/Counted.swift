// SPDX-License-Identifier: Apache-2.0

/// A number with its noun: `1 login`, `2 logins`, `1 entry`, `2 entries`.
package struct Counted: Sendable, Hashable, CustomStringConvertible {
    /// The number and the noun.
    package let description: String

    /// - Parameters:
    ///   - noun: the singular.
    ///   - plural: the plural; nil for the singular with an s.
    package init(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) {
        description = "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}
