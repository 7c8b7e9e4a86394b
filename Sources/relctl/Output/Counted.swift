// SPDX-License-Identifier: Apache-2.0

/// A number with what is counted: `1 login`, `2 logins`.
struct Counted: CustomStringConvertible {
    let description: String

    /// - Parameter noun: for one of them; more have an s behind.
    init(_ count: some BinaryInteger, _ noun: String) {
        description = "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
