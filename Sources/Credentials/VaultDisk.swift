// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The work of the store that blocks: files, and derivations of a quarter of a second. Called on the thread pool.
struct VaultDisk: Sendable {
    let options: VaultOptions

    /// What can be told of a vault without its key.
    struct Sight: Sendable {
        let folder: VaultFolder
        let header: VaultHeader?
    }

    /// - Returns: nil if the directory does not exist.
    func look() throws(CredentialError) -> Sight? {
        guard let folder = try folder(creating: false) else { return nil }
        folder.removeStaleFilesIfIdle()
        return Sight(folder: folder, header: try folder.read()?.header)
    }

    func create(_ kind: KeyProviderKind, passphrase: SharedSecret?, label: String) throws(CredentialError) -> OpenVault
    {
        guard let folder = try folder(creating: true) else { throw .noVault(path: options.directory) }
        let schedule = try schedule()
        let storeID = try translated { () throws(PlatformError) in
            try options.random.bytes(VaultHeader.storeIDByteCount)
        }
        let first = OpenVault.FirstSlot(
            storeID: storeID,
            kind: kind,
            cost: kind == .passphrase ? options.cost : nil,
            secret: try secret(kind, passphrase, of: storeID, isNew: true, schedule),
            label: label,
            created: options.now()
        )
        return try OpenVault.create(in: folder, first, schedule: schedule)
    }

    func open(_ kind: KeyProviderKind, passphrase: SharedSecret?) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: false), let file = try folder.read() else {
            throw .noVault(path: options.directory)
        }
        let schedule = try schedule()
        let secret = try secret(kind, passphrase, of: file.header.storeID, schedule)
        return try OpenVault.open(file, kind: kind, secret: secret, schedule: schedule)
    }

    func update(
        _ vault: OpenVault,
        dropsPrevious: Bool,
        _ change: (OpenVault, inout VaultPayload) throws(CredentialError) -> Void
    ) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: false) else { throw .conflict(reason: "the directory is gone") }
        return try vault.update(in: folder, dropsPrevious: dropsPrevious, change)
    }

    private func folder(creating: Bool) throws(CredentialError) -> VaultFolder? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(options.directory, creating: creating)
            return VaultFolder(directory: directory, random: options.random, patience: options.patience)
        } catch {
            if case .system(_, _, ENOENT) = error, !creating { return nil }
            throw CredentialError(error)
        }
    }

    /// Keys of an opened vault live in an arena of their own, which goes when the vault is locked.
    private func schedule() throws(CredentialError) -> KeySchedule {
        try translated { () throws(PlatformError) in KeySchedule(arena: try SecretArena(preferring: options.memory)) }
    }

    /// What opens a slot of this kind in the vault with this id.
    private func secret(
        _ kind: KeyProviderKind,
        _ passphrase: SharedSecret?,
        of storeID: [UInt8],
        isNew: Bool = false,
        _ schedule: KeySchedule
    ) throws(CredentialError) -> SharedSecret {
        if kind == .passphrase {
            guard let passphrase else { throw .invalid(field: "the passphrase", reason: "is missing") }
            return SharedSecret(try Passphrase.normalised(passphrase.secret, in: schedule.arena))
        }
        guard let provider = options.keyProviders.first(where: { $0.kind == kind }) else {
            throw .providerUnavailable(kind, reason: "this build has no such provider")
        }
        let key =
            isNew
            ? try provider.makeKey(for: storeID, in: schedule.arena)
            : try provider.key(for: storeID, in: schedule.arena)
        return SharedSecret(key)
    }
}
