// SPDX-License-Identifier: Apache-2.0

/// Ways to open the vault.
extension CredentialStore {
    /// Makes the vault, and leaves it unlocked.
    ///
    /// - Parameters:
    ///   - offer: what opens it from now on.
    ///   - extra: a further slot that it gets at once, such as a recovery code.
    ///   - label: names the first slot for people.
    /// - Throws: `CredentialError.vaultExists`, `.invalid`, `.providerUnavailable`, or why it could not be saved.
    package func create(_ offer: KeyOffer, extra: KeyOffer? = nil, label: String = "") async throws {
        try await attempt(with: offer.kind, as: .vaultMade) { disk in
            try disk.create(offer, extra: extra, label: label)
        }
        // Just made, it needs nothing to speak for it.
        await trustOpenVault()
    }

    /// Opens the vault with what somebody brought and nothing else.
    ///
    /// A wrong secret makes the next attempt wait for 0.1 s more, up to 10 s. An open vault is opened again all the same:
    /// that tells whether the secret is right, and takes up a data key that another program has changed.
    ///
    /// - Parameter attended: whether a person waits for it, whom a key provider may ask something.
    /// - Throws: `CredentialError.wrongKey`, `.damaged`, `.providerUnavailable`, `.noVault`, `.attemptInProgress`, and
    ///   `.locked` if the vault was locked again meanwhile.
    package func unlock(_ offer: KeyOffer, attended: Bool = true) async throws {
        // The time until it locks counts from the first one.
        let isFirst = state != .unlocked
        try await attempt(with: offer.kind) { disk in
            try disk.open(offer, attended: attended, isCached: isFirst)
        }
    }

    /// Opens the vault for a person who brings nothing: with the first of its keys that is kept outside.
    ///
    /// - Throws: as `unlock`; `CredentialError.locked` if the vault has no such key.
    package func unlock() async throws {
        if state == .unlocked { return touch() }
        if state == .absent { throw CredentialError.noVault(path: disk.options.directory) }
        guard fault == nil, let kind = outsideKind else { throw fault ?? .locked }
        try await unlock(.provider(kind))
    }

    /// Opens the vault at the start, where its key provider needs no person.
    ///
    /// - Returns: false if the vault has no slot of such a provider, or is not `sealed`.
    /// - Throws: `CredentialError.providerUnavailable` if it has one that fails.
    package func unlockAutomatically() async throws -> Bool {
        guard state == .sealed, let kind = outsideKind else { return false }
        try await unlock(.provider(kind), attended: false)
        return true
    }

    /// The kind of the first slot whose key is kept outside. It is the only one asked: one that fails is repaired, not
    /// replaced by the next in silence.
    private var outsideKind: KeyProviderKind? { header?.slots.first { !$0.kind.isTyped }?.kind }
}

extension CredentialStore {
    /// Opens the vault at the start with what the kernel kept of a passphrase. It stays open for no longer than it would
    /// have without the restart.
    ///
    /// - Returns: false where there is no cache, or nothing in it; the vault is as it was then.
    package func unlockFromKernelCache() async -> Bool {
        guard disk.options.kernelCache != nil else { return false }
        // Whatever is wrong, a person is asked for the passphrase as without a cache.
        return await openSealed { try $0.openFromKernelCache() }
    }
}

extension VaultDisk {
    /// - Returns: nil if nothing kept fits.
    fileprivate func openFromKernelCache() throws(CredentialError) -> CachedOpening? {
        guard let cache = options.kernelCache, let folder = try folder(creating: false), let file = try folder.read()
        else { return nil }
        let schedule = try schedule()
        for slot in file.header.slots where slot.kind == .passphrase {
            guard let entry = cache.entry(for: slot, in: schedule.arena) else { continue }
            let key = try schedule.unwrap(slot, slotSecret: entry.slotSecret, storeID: file.header.storeID)
            let vault = try OpenVault(file, dataKey: key, schedule: schedule)
            return CachedOpening(vault: vault, findings: anchors.findings(for: vault), remaining: entry.remaining)
        }
        return nil
    }
}

/// A vault that the kernel's cache opened.
struct CachedOpening: Sendable {
    let vault: OpenVault
    let findings: [AnchorPlace: AnchorFinding]
    /// Until it has to be locked, whatever happens.
    let remaining: Duration
}
