// SPDX-License-Identifier: Apache-2.0

import Endpoints
package import Platform

/// How often a person may be asked for one secret, and which were refused: none of them goes out again.
package struct Tries: Sendable {
    package static let limit = 3

    private var left = Self.limit
    private var refused: [SharedSecret] = []

    /// - Parameter known: one that is known to be refused.
    package init(known: SharedSecret? = nil) {
        refused = [known].compactMap { $0 }
    }

    /// Counts a refusal.
    ///
    /// - Returns: what to say at the next try; nil if there is none.
    package mutating func failed(_ answer: SharedSecret, because reason: String) -> String? {
        if !wasRefused(answer) { refused.append(answer) }
        left -= 1
        guard left > 0 else { return nil }
        return "\(reason); \(Counted(left, "try", "tries")) left"
    }

    package func wasRefused(_ answer: SharedSecret) -> Bool {
        refused.contains { $0.secret.isEqual(to: answer.secret) }
    }
}
