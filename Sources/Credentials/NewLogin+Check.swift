// SPDX-License-Identifier: Apache-2.0

import Endpoints

extension NewLogin {
    /// Checks that every field can be stored.
    ///
    /// - Throws: `CredentialError.invalid` for a field that cannot.
    package func check() throws(CredentialError) {
        guard !name.isEmpty else { throw .invalid(field: "the login's name", reason: "is empty") }
        let texts = [
            ("the login's name", name), ("the user", user), ("the domain", domain),
            ("the schema", schema),
        ]
        for (field, text) in texts {
            guard text.utf8.count <= VaultLimits.stringBytes else {
                throw .invalid(field: field, reason: "is longer than \(VaultLimits.stringBytes) bytes")
            }
            guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .invalid(field: field, reason: "contains a control character")
            }
        }
        try LoginExtra.check(extras)
        guard networkID == nil || networkID?.count == PinnedEndpoint.networkIDByteCount else {
            throw .invalid(field: "the network id", reason: "is not \(PinnedEndpoint.networkIDByteCount) bytes")
        }
        guard !pin.isLinkLocal || interface.map(PinnedEndpoint.isInterface) ?? true else {
            throw .invalid(field: "the interface", reason: "has a name that cannot be stored")
        }
    }
}
