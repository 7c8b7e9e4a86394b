// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The blocking work of the store: file access, and key derivations of 0.25 s. It is called on the thread pool.
struct VaultDisk: Sendable {
    let options: VaultOptions

    /// Facts about a vault that can be read without its key.
    struct Sight: Sendable {
        let header: VaultHeader?
        let position: VaultPosition?
    }

    var anchors: VaultAnchors { VaultAnchors(options) }

    /// Reads the vault's header.
    ///
    /// - Returns: nil if the directory does not exist.
    func look() throws(CredentialError) -> Sight? {
        guard let folder = try folder(creating: false) else { return nil }
        folder.removeStaleFilesIfIdle()
        let file = try folder.read()
        return Sight(header: file?.header, position: file.map { VaultPosition($0) })
    }

    /// Makes a vault.
    ///
    /// - Parameter extra: a second slot for the new vault, such as a recovery code.
    func create(_ offer: KeyOffer, extra: KeyOffer?, label: String) throws(CredentialError) -> OpenVault {
        try KeySlot.check(label: label)
        guard let folder = try folder(creating: true) else { throw .noVault(path: options.directory) }
        guard try folder.read() == nil else { throw .vaultExists(path: folder.path) }
        let schedule = try schedule()
        let storeID = try translated { () throws(PlatformError) in
            try options.random.bytes(VaultHeader.storeIDByteCount)
        }
        // Reject a mistyped recovery code before any provider makes a key.
        let further = try extra.map { extra throws(CredentialError) in
            try newSlot(extra, label: "", storeID: storeID, schedule)
        }
        let first = try newSlot(offer, label: label, storeID: storeID, schedule)
        do throws(CredentialError) {
            let slots = further.map { [first, $0] } ?? [first]
            return try OpenVault.create(in: folder, storeID: storeID, slots: slots, schedule: schedule)
        } catch {
            // The provider's key is not needed, because no other vault has this store ID.
            try? options.keyProviders.first { $0.kind == offer.kind }?.removeKey(for: storeID)
            throw error
        }
    }

    /// Opens the vault.
    ///
    /// - Parameters:
    ///   - attended: whether a user waits for it.
    ///   - isCached: whether the kernel may store the secret derived from a passphrase.
    func open(
        _ offer: KeyOffer,
        attended: Bool = true,
        isCached: Bool = false
    ) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: false), let file = try folder.read() else {
            throw .noVault(path: options.directory)
        }
        return try unlock(file, offer, attended: attended, isCached: isCached)
    }

    /// Opens a file from any place.
    func unlock(
        _ file: VaultFile,
        _ offer: KeyOffer,
        attended: Bool = true,
        isCached: Bool = false
    ) throws(CredentialError) -> OpenVault {
        guard file.header.slots.contains(where: { $0.kind == offer.kind }) else {
            throw .providerUnavailable(offer.kind, reason: "the vault has no such key slot")
        }
        let schedule = try schedule()
        let secret = try secret(offer, of: file.header.storeID, isNew: false, attended: attended, schedule)
        return try OpenVault.open(file, kind: offer.kind, secret: secret, schedule: schedule) { slot, slotSecret in
            guard isCached, slot.kind == .passphrase else { return }
            options.kernelCache?.keep(slotSecret, of: slot, for: options.lockPolicy.absolute, in: schedule.arena)
        }
    }

    /// Opens the file on disk with the data key of an unlocked vault.
    func reopen(_ vault: OpenVault) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: false), let file = try folder.read() else {
            throw .noVault(path: options.directory)
        }
        return try vault.reopened(file)
    }

    func update(
        _ vault: OpenVault,
        dropsPrevious: Bool,
        _ change: (OpenVault, inout VaultPayload) throws(CredentialError) -> Void
    ) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: false) else { throw .conflict(reason: "the directory is gone") }
        return try vault.update(in: folder, dropsPrevious: dropsPrevious, change)
    }

    /// Opens the file on disk if it has changed.
    ///
    /// - Returns: the same object if nothing has changed.
    /// - Throws: `CredentialError.conflict` if the file is not a successor of `vault`.
    func successor(of vault: OpenVault) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: false) else { throw .conflict(reason: "the directory is gone") }
        return try vault.successor(try folder.read())
    }

    func folder(creating: Bool) throws(CredentialError) -> VaultFolder? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(options.directory, creating: creating)
            return VaultFolder(
                directory: directory,
                random: options.random,
                patience: options.patience,
                auditHead: options.audit?.committed
            )
        } catch {
            if case .system(_, _, ENOENT) = error, !creating { return nil }
            throw CredentialError(error)
        }
    }

    /// The keys of an unlocked vault are in their own arena, which is released when the vault is locked.
    func schedule() throws(CredentialError) -> KeySchedule {
        try translated { () throws(PlatformError) in KeySchedule(arena: try SecretArena(preferring: options.memory)) }
    }
}
