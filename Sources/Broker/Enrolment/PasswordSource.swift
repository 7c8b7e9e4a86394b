// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Platform

/// Source of the password of a login that is added or changed.
package protocol PasswordSource: Sendable {
    /// The login is tried before it is stored.
    var isTried: Bool { get }

    /// Gets a password.
    ///
    /// - Parameter refusal: `BrokerError.loginRejected` for the password before; nil at first.
    /// - Throws: if there is no other password.
    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret
}
