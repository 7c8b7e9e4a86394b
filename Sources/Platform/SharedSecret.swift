// SPDX-License-Identifier: Apache-2.0

/// A secret with several owners, wiped when the last lets go: the data key of an open vault, or a password on its way
/// to another thread.
package final class SharedSecret: Sendable {
    package let secret: Secret

    package init(_ secret: consuming Secret) {
        self.secret = secret
    }

    package convenience init?(_ secret: consuming Secret?) {
        guard let secret = consume secret else { return nil }
        self.init(secret)
    }
}
