// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What an import does, or would do, with one login of the file.
package struct ImportedLogin: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        /// It is new here. Its endpoint's pin is believed only if this vault has the same one.
        case added
        /// The vault has the very same login.
        case unchanged
        /// The vault has something else in its place, which stays; why, as a fragment.
        case conflict(reason: String)
    }

    /// That a stored password is another than the file's is a guess at it that failed.
    static let otherPassword = Verdict.conflict(reason: "the password is another here")

    package let name: String
    /// The endpoint that it belongs to here.
    package let endpoint: EndpointID
    package let location: EndpointLocation?
    /// Somebody has to agree to the endpoint's pin before the login can be used.
    package let needsAgreement: Bool
    package let verdict: Verdict

    /// The same, when another change of the vault came first.
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
