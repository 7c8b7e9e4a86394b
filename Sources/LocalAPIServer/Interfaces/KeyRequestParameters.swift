// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import JSON
import LocalAPI
import Varlink

/// The parameters of `Credentials.Init` and `AddSlot` that say what opens the vault, checked.
struct KeyRequestParameters {
    let kind: KeyProviderKind
    let label: String

    /// - Throws: `JSONShapeError`; `APIError` for what is no key provider; `VarlinkError.invalidParameter` for a key file
    ///   without the word that its weakness is accepted.
    init(_ parameters: JSONObject) throws {
        let word = try parameters.string("provider")
        guard let kind = KeyProviderKind(word) else {
            throw APIError(
                .providerUnavailable,
                "'\(Printable(word))' is no key provider",
                hint: "relctl vault providers"
            )
        }
        let acceptsKeyFile = try parameters.optionalBool("insecureKeyFile") ?? false
        guard kind != .keyFile || acceptsKeyFile else { throw VarlinkError.invalidParameter("insecureKeyFile") }
        self.kind = kind
        label = try parameters.optionalString("label") ?? ""
    }
}
