// SPDX-License-Identifier: Apache-2.0

/// A login of the administrator that is not taken.
package enum ConfiguredLoginsProblem: Sendable, Hashable {
    /// - Parameter reason: a text that is safe to show.
    case file(path: String, reason: String)
    /// There are `count` files, and the first `limit` by name are taken.
    case tooManyFiles(count: Int, limit: Int)
}
