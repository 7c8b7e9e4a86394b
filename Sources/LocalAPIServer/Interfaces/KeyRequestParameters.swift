// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import LocalAPI
import Varlink

/// The parameters of `Credentials.Init` and `AddSlot` that say what opens the vault, checked.
struct KeyRequestParameters {
    let kind: KeyProviderKind
    let label: String

    /// - Throws: `CredentialsAPI.ProviderUnavailableError` for what is no key provider; `VarlinkError.invalidParameter` for a key file
    ///   without the word that its weakness is accepted.
    init(provider word: String, label: String?, insecureKeyFile: Bool?) throws {
        guard let kind = KeyProviderKind(word) else {
            throw CredentialsAPI.ProviderUnavailableError(
                message: "'\(Printable(word))' is no key provider",
                provider: word
            )
        }
        guard kind != .keyFile || insecureKeyFile == true else {
            throw VarlinkError.invalidParameter("insecureKeyFile")
        }
        self.kind = kind
        self.label = label ?? ""
    }
}
