// SPDX-License-Identifier: Apache-2.0

/// A secret with several owners, wiped when the last one drops it: the data key of an open vault, or a password that
/// is passed to another thread.
package final class SharedSecret: Sendable {
    /// The secret itself.
    package let secret: Secret

    /// Makes a secret shareable.
    package init(_ secret: consuming Secret) {
        self.secret = secret
    }

    /// - Returns: nil if there is no secret.
    package convenience init?(_ secret: consuming Secret?) {
        guard let secret = consume secret else { return nil }
        self.init(secret)
    }
}
