// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The protections of secret memory that the kernel has refused, with the `errno` of each.
package struct SecretMemoryShortfall: Sendable, Hashable, CustomStringConvertible {
    var memfdSecret: Int32?
    var mlock: Int32?

    var isNothing: Bool { memfdSecret == nil && mlock == nil }

    /// Whether secrets may reach the swap space.
    package var isSwappable: Bool { mlock != nil }

    /// The calls that failed, each with the text of its errno.
    package var reasons: String {
        let refused = [memfdSecret.map { "memfd_secret: \(Self.text($0))" }, mlock.map { "mlock: \(Self.text($0))" }]
        return refused.compactMap { $0 }.joined(separator: "; ")
    }

    package var description: String {
        isSwappable
            ? "secrets may be swapped out (\(reasons)); raise the limit of locked memory, LimitMEMLOCK= in the unit"
            : "secrets cannot be swapped out, but debuggers of the kernel and hibernation see them (\(reasons))"
    }

    private static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
