// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

extension VaultPayload {
    /// Seals the secrets of an entry again, with fresh salts, as its next revision.
    ///
    /// - Parameters:
    ///   - password: the new one; nil keeps the stored one.
    ///   - new: the pin that the new seals are bound to.
    mutating func reseal(
        _ index: Int,
        _ vault: OpenVault,
        from old: Pin,
        to new: Pin,
        password: SharedSecret?,
        random: any RandomSource
    ) throws(CredentialError) {
        let entry = entries[index]
        let revision = entry.revision + 1
        func resealed(
            _ sealed: SealedSecret,
            _ field: SealedField,
            _ given: SharedSecret?
        ) throws(CredentialError) -> SealedSecret {
            let secret: SharedSecret
            if let given {
                secret = given
            } else {
                let binding = vault.binding(entry, field, old)
                secret = SharedSecret(try sealed.open(binding, dataKey: vault.dataKey, schedule: vault.schedule))
            }
            return try vault.seal(secret, entry.id, field, revision: revision, pin: new, random: random)
        }
        let envelope = try entry.envelope.map { envelope throws(CredentialError) in
            try resealed(envelope, .envelope, nil)
        }
        entries[index].password = try resealed(entry.password, .password, password)
        entries[index].envelope = envelope
        entries[index].revision = revision
    }
}
