// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The result of importing one login of the file, or of trying to.
package struct ImportedLogin: Sendable, Hashable {
    /// The result of an import for one login.
    package enum Verdict: Sendable, Hashable {
        /// The login is new here. Its endpoint's pin is trusted only if this vault has the same pin.
        case added
        /// The vault already has the same login.
        case unchanged
        /// The vault has a different login in its place and keeps it. The reason is a fragment of a sentence.
        case conflict(reason: String)
    }

    /// The stored password differs from the one in the file. This tells the caller that a guess at the stored
    /// password was wrong.
    static let otherPassword = Verdict.conflict(reason: "the password is another here")

    /// The name of the login.
    package let name: String
    /// The endpoint on this machine that the login belongs to.
    package let endpoint: EndpointID
    /// The name and URL of the endpoint, if the file contains them.
    package let location: EndpointLocation?
    /// Whether the user must verify the endpoint's pin before the login can be used.
    package let needsAgreement: Bool
    /// The result for this login.
    package let verdict: Verdict

    /// The result if another change of the vault came first.
    var overtaken: ImportedLogin {
        ImportedLogin(
            name: name,
            endpoint: endpoint,
            location: location,
            needsAgreement: false,
            verdict: .conflict(reason: "the vault was changed meanwhile")
        )
    }
}
