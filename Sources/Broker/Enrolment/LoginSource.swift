// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Source of everything that a new login is made of.
package protocol LoginSource: ServerAgreement, PasswordSource {
    /// The login's name, if it is known before the server is asked.
    func name(at endpoint: Endpoint) -> String?

    /// Gets the login for a server that was agreed to.
    mutating func draft(for proposal: ServerProposal) async throws -> LoginDraft
}
