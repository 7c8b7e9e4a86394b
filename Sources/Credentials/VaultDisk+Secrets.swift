// SPDX-License-Identifier: Apache-2.0

import Platform

/// From what somebody brings, or a provider keeps, to what a slot's keys are derived from.
extension VaultDisk {
    /// What a new slot of this kind is made of; a provider makes its key here.
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

    /// Of a passphrase slot that is made now.
    func cost(_ schedule: KeySchedule) throws(CredentialError) -> ScryptCost {
        if let cost = options.cost { return cost }
        return try translated { () throws(PlatformError) in try ScryptCost.calibrated(in: schedule.arena) }
    }

    /// What opens a slot of the vault with this id.
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

    /// Tries the providers in the order in which they are proposed, and the key file last.
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
