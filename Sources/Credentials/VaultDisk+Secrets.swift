// SPDX-License-Identifier: Apache-2.0

import Platform

/// Converts the user's input, or a provider's key, to the secret from which a slot's keys are derived.
extension VaultDisk {
    /// Makes the parts of a new slot. A provider makes its key here.
    func newSlot(
        _ offer: KeyOffer,
        label: String,
        storeID: [UInt8],
        _ schedule: KeySchedule
    ) throws(CredentialError) -> NewSlot {
        let secret = try secret(offer, of: storeID, isNew: true, schedule)
        return try newSlot(offer.kind, secret, label: label, schedule)
    }

    func newSlot(
        _ kind: KeyProviderKind,
        _ secret: SharedSecret,
        label: String,
        _ schedule: KeySchedule
    ) throws(CredentialError) -> NewSlot {
        NewSlot(
            kind: kind,
            cost: kind == .passphrase ? try cost(schedule) : nil,
            secret: secret,
            id: try translated { () throws(PlatformError) in try options.random.bytes(KeySlot.idByteCount) },
            label: label,
            created: options.now()
        )
    }

    /// The cost of a new passphrase slot.
    func cost(_ schedule: KeySchedule) throws(CredentialError) -> ScryptCost {
        if let cost = options.cost { return cost }
        return try translated { () throws(PlatformError) in try ScryptCost.calibrated(in: schedule.arena) }
    }

    /// The secret that opens a slot of the vault with this ID.
    func secret(
        _ offer: KeyOffer,
        of storeID: [UInt8],
        isNew: Bool,
        attended: Bool = true,
        _ schedule: KeySchedule
    ) throws(CredentialError) -> SharedSecret {
        switch offer {
        case .passphrase(let passphrase):
            if isNew { try Passphrase.checkTypable(passphrase.secret) }
            return SharedSecret(try Passphrase.normalised(passphrase.secret, in: schedule.arena))
        case .recoveryCode(let text):
            return try translated { () throws(PlatformError) in
                SharedSecret(try RecoveryCode.parse(text.secret, in: schedule.arena))
            }
        case .provider(let kind):
            let provider = try provider(kind)
            return SharedSecret(
                isNew
                    ? try provider.makeKey(for: storeID, in: schedule.arena)
                    : try provider.key(for: storeID, attended: attended, in: schedule.arena)
            )
        }
    }

    private func provider(_ kind: KeyProviderKind) throws(CredentialError) -> any KeyProvider {
        guard let provider = options.keyProviders.first(where: { $0.kind == kind }) else {
            throw .providerUnavailable(kind, reason: "this daemon has no such provider")
        }
        return provider
    }

    /// Tries the providers in the order of preference, and the key file last.
    func proposals() throws(CredentialError) -> [KeyProposal] {
        let arena = try translated { () throws(PlatformError) in try SecretArena(preferring: options.memory) }
        return (KeyProviderKind.proposals + [.keyFile]).map { kind in
            guard kind != .passphrase else { return KeyProposal(kind: kind, obstacle: nil) }
            do throws(CredentialError) {
                try provider(kind).probe(in: arena)
                return KeyProposal(kind: kind, obstacle: nil)
            } catch {
                return KeyProposal(kind: kind, obstacle: error)
            }
        }
    }
}
