// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// Opens a vault with the secret of a provider. Tries every slot of the provider's kind.
    ///
    /// - Parameter opened: receives the slot that was opened, and its secret.
    /// - Throws: `CredentialError.wrongKey` if the secret opens no slot; `.providerUnavailable` if the vault has no
    ///   slot of this kind.
    static func open(
        _ file: VaultFile,
        kind: KeyProviderKind,
        secret: SharedSecret,
        schedule: KeySchedule,
        opened: (KeySlot, borrowing Secret) -> Void = { _, _ in }
    ) throws(CredentialError) -> OpenVault {
        let slots = file.header.slots.filter { $0.kind == kind }
        guard !slots.isEmpty else { throw .providerUnavailable(kind, reason: "the vault has no such key slot") }
        for slot in slots {
            let slotSecret = try translated { () throws(PlatformError) in
                try schedule.slotSecret(from: secret.secret, slot.identity)
            }
            do throws(CredentialError) {
                let dataKey = try schedule.unwrap(slot, slotSecret: slotSecret, storeID: file.header.storeID)
                let vault = try OpenVault(file, dataKey: dataKey, schedule: schedule)
                opened(slot, slotSecret)
                return vault
            } catch {
                guard error == .wrongKey else { throw error }
            }
        }
        throw .wrongKey
    }
}
