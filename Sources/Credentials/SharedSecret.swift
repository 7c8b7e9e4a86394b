// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A secret with several owners, wiped when the last lets go: the data key of an open vault, or a password on its way
/// to another thread.
package final class SharedSecret: Sendable {
    let secret: Secret

    package init(_ secret: consuming Secret) {
        self.secret = secret
    }

    convenience init?(_ secret: consuming Secret?) {
        guard let secret = consume secret else { return nil }
        self.init(secret)
    }
}
