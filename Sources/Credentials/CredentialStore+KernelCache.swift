// SPDX-License-Identifier: Apache-2.0

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
