// SPDX-License-Identifier: Apache-2.0

/// What the last attempt to use an endpoint met.
package enum Contact: Sendable, Hashable {
    case reached
    /// - Parameter reason: a sentence fragment, safe to show.
    case failed(reason: String)
}
