// SPDX-License-Identifier: Apache-2.0

/// The rule for patterns that a user types for LIKE.
package enum LikePattern {
    /// The reason to refuse a pattern that is meant for the LIKE of SQL: it has `%` or `_`, which are plain characters here,
    /// and no wildcard. It would match only rows with these characters. Nil for all other patterns.
    package static func mistake(in pattern: String) -> String? {
        guard !pattern.utf8.contains(where: { "*?".utf8.contains($0) }),
            let sign = pattern.first(where: { $0 == "%" }) ?? pattern.first(where: { $0 == "_" })
        else { return nil }
        return "'\(sign)' is no wildcard of LIKE: use * for any text and ? for one character, or == for the exact text"
    }
}
