// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc
import Platform

/// The blocking work of the store: file access, and key derivations of 0.25 s. It is called on the thread pool.
struct VaultDisk: Sendable {
    let options: VaultOptions

    var anchors: VaultAnchors { VaultAnchors(options) }
    var path: String { options.directory + "/" + VaultFolder.fileName }

    /// Reads the vault's file.
    ///
    /// - Returns: nil if there never was one.
    /// - Throws: `CredentialError.fileMissing` if a copy of the file or an anchor shows that there was one; the error of
    ///   reading it.
    func look() throws(CredentialError) -> VaultFile? {
        let folder = try folder(creating: false)
        folder?.removeStaleFilesIfIdle()
        if let file = try folder?.read() { return file }
        if let lost = folder?.lostFile { throw lost }
        guard !anchors.hasFile else { throw .fileMissing(path: path, copy: nil) }
        return nil
    }

    /// Reads the vault's file.
    ///
    /// - Throws: `CredentialError.noVault` if there is none.
    private func read() throws(CredentialError) -> VaultFile {
        guard let file = try folder(creating: false)?.read() else { throw .noVault(path: options.directory) }
        return file
    }

    /// Makes a vault.
    ///
    /// - Parameter extra: a second slot for the new vault, such as a recovery code.
    /// - Throws: `CredentialError.vaultExists` if a file exists already, whatever its content; `.fileMissing` if a copy of
    ///   a lost one does, which the saves of a new vault would replace.
    func create(_ input: UnlockInput, extra: UnlockInput?, label: String) throws(CredentialError) -> OpenVault {
        try KeySlot.check(label: label)
        guard let folder = try folder(creating: true) else { throw .noVault(path: options.directory) }
        guard try folder.read() == nil else { throw .vaultExists(path: folder.path) }
        if let lost = folder.lostFile { throw lost }
        let key = try newKey(in: try arena())
        // Reject a mistyped recovery code before any provider makes a key.
        let further = try extra.map { extra throws(CredentialError) in try newSlot(extra, label: "", for: key) }
        let first = try newSlot(input, label: label, for: key)
        do throws(CredentialError) {
            // The slow derivations run before the lock is acquired.
            let draft = try VaultDraft(key, [first] + (further.map { [$0] } ?? []), random: options.random)
            return try folder.save(previous: .replaced) { current throws(CredentialError) in
                guard current == nil else { throw .vaultExists(path: folder.path) }
                if let lost = folder.lostFile { throw lost }
                return draft
            }
        } catch {
            // The provider's key is not needed, because no other vault has this store ID.
            try? options.keyProviders.first { $0.kind == input.kind }?.removeKey(for: key.storeID)
            throw error
        }
    }

    /// Opens the vault.
    ///
    /// - Parameters:
    ///   - attended: whether a user waits for it.
    ///   - isCached: whether the kernel may store the secret derived from a passphrase.
    func open(
        _ input: UnlockInput,
        attended: Bool = true,
        isCached: Bool = false
    ) throws(CredentialError) -> OpenVault {
        try unlock(try read(), input, attended: attended, isCached: isCached)
    }

    /// Opens a file from any location.
    func unlock(
        _ file: VaultFile,
        _ input: UnlockInput,
        attended: Bool = true,
        isCached: Bool = false
    ) throws(CredentialError) -> OpenVault {
        guard file.header.slots.contains(where: { $0.kind == input.kind }) else {
            throw .providerUnavailable(input.kind, ProviderFault(code: .noSlot))
        }
        let arena = try arena()
        let secret = try secret(input, of: file.header.storeID, isNew: false, attended: attended, arena)
        return try OpenVault.open(file, kind: input.kind, secret: secret, in: arena) { slot, slotSecret in
            guard isCached, slot.kind == .passphrase else { return }
            options.kernelCache?.keep(slotSecret, of: slot, for: options.lockPolicy.absolute, in: arena)
        }
    }

    /// Opens the file on disk with the data key of an unlocked vault.
    func reopen(_ vault: OpenVault) throws(CredentialError) -> OpenVault {
        try vault.reopened(try read())
    }

    /// Reads the file on disk, opened with the data key of `vault`. Returns the same object if nothing has changed.
    ///
    /// - Throws: `CredentialError.conflict` if the file is not a successor of `vault`.
    func newest(_ vault: OpenVault) throws(CredentialError) -> (folder: VaultFolder, vault: OpenVault) {
        let folder = try folder(of: vault)
        return (folder, try vault.successor(try folder.read()))
    }

    /// The directory of an open vault.
    func folder(of vault: OpenVault) throws(CredentialError) -> VaultFolder {
        guard let folder = try folder(creating: false) else { throw .conflict(reason: "the directory is gone") }
        return folder
    }

    func folder(creating: Bool) throws(CredentialError) -> VaultFolder? {
        do throws(PlatformError) {
            let directory = try ProtectedDirectory(options.directory, creating: creating)
            return VaultFolder(
                directory: directory,
                random: options.random,
                lockTimeout: options.lockTimeout,
                auditHead: options.audit?.committed
            )
        } catch {
            if case .system(_, _, ENOENT) = error, !creating { return nil }
            throw CredentialError(error)
        }
    }

    /// The keys of an unlocked vault are in their own arena, which is released when the vault is locked.
    func arena() throws(CredentialError) -> SecretArena {
        try translated(SecretArena(preferring: options.memory))
    }
}

/// Converts the user's input, or a provider's key, to the secret from which a slot's keys are derived.
extension VaultDisk {
    /// Makes the data key of a new vault.
    private func newKey(in arena: SecretArena) throws(CredentialError) -> DataKey {
        try translating { () throws(PlatformError) in
            let storeID = try options.random.bytes(VaultHeader.storeIDByteCount)
            return try DataKey.fresh(for: storeID, in: arena, from: options.random)
        }
    }

    /// Makes the parts of a new slot. A provider makes its key here.
    func newSlot(_ input: UnlockInput, label: String, for key: DataKey) throws(CredentialError) -> NewSlot {
        let secret = try secret(input, of: key.storeID, isNew: true, key.arena)
        return NewSlot(
            kind: input.kind,
            cost: input.kind == .passphrase ? try cost(in: key.arena) : nil,
            secret: secret,
            id: try translated(options.random.bytes(KeySlot.idByteCount)),
            label: label,
            created: options.now()
        )
    }

    /// The cost of a new passphrase slot.
    func cost(in arena: SecretArena) throws(CredentialError) -> ScryptCost {
        if let cost = options.cost { return cost }
        return try translated(ScryptCost.calibrated(in: arena))
    }

    /// The secret that opens a slot of the vault with this ID.
    func secret(
        _ input: UnlockInput,
        of storeID: [UInt8],
        isNew: Bool,
        attended: Bool = true,
        _ arena: SecretArena
    ) throws(CredentialError) -> SharedSecret {
        switch input {
        case .passphrase(let passphrase):
            if isNew { try Passphrase.checkTypable(passphrase.secret) }
            return SharedSecret(try Passphrase.normalised(passphrase.secret, in: arena))
        case .recoveryCode(let text):
            return try translated(SharedSecret(try RecoveryCode.parse(text.secret, in: arena)))
        case .provider(let kind):
            let provider = try provider(kind)
            return SharedSecret(
                isNew
                    ? try provider.makeKey(for: storeID, in: arena)
                    : try provider.key(for: storeID, attended: attended, in: arena)
            )
        }
    }

    private func provider(_ kind: KeyProviderKind) throws(CredentialError) -> any KeyProvider {
        guard let provider = options.keyProviders.first(where: { $0.kind == kind }) else {
            throw .providerUnavailable(kind, ProviderFault(code: .noProvider))
        }
        return provider
    }

    /// Tries the providers in the order of preference, and the key file last.
    func checkProviders() throws(CredentialError) -> [ProviderCheck] {
        let arena = try arena()
        return (KeyProviderKind.proposals + [.keyFile]).map { kind in
            guard kind != .passphrase else { return ProviderCheck(kind: kind, obstacle: nil) }
            do throws(CredentialError) {
                try provider(kind).probe(in: arena)
                return ProviderCheck(kind: kind, obstacle: nil)
            } catch {
                return ProviderCheck(kind: kind, obstacle: ProviderFault(of: error))
            }
        }
    }
}

extension VaultDisk {
    func copy(of vault: OpenVault) throws(CredentialError) -> VaultCopy {
        let file = try read()
        let current = try vault.successor(file)
        return VaultCopy(
            bytes: file.bytes,
            generation: current.header.generation,
            logins: current.payload.entries.count,
            hash: current.hash
        )
    }

    func export(_ vault: OpenVault, passphrase: SharedSecret) throws(CredentialError) -> VaultCopy {
        try Passphrase.checkTypable(passphrase.secret)
        let key = try newKey(in: vault.key.arena)
        let slot = NewSlot(
            kind: .passphrase,
            cost: options.exportCost,
            secret: SharedSecret(try Passphrase.normalised(passphrase.secret, in: key.arena)),
            id: try translated(options.random.bytes(KeySlot.idByteCount)),
            label: "export",
            created: options.now()
        )
        // The keys of this machine's anchor and audit log are not exported.
        var draft = try VaultDraft(key, [slot], random: options.random)
        draft.payload = try vault.resealed(for: key, random: options.random)
        let bytes = try draft.sealed(random: options.random)
        let copy = try draft.opened(bytes, as: bytes)
        return VaultCopy(bytes: bytes, generation: 1, logins: copy.payload.entries.count, hash: copy.hash)
    }

    /// Saves a vault from another location as the next generation. It gets a new audit key, because its old log stayed
    /// where it was written. This machine's log starts again. No password command in it runs before the user agrees.
    func place(_ vault: OpenVault, isReplacing: Bool) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: true) else { throw .noVault(path: options.directory) }
        var draft = VaultDraft(after: vault)
        for index in draft.payload.entries.indices {
            guard let command = draft.payload.entries[index].password.command else { continue }
            draft.payload.entries[index].password = .command(PasswordCommand(command.command, isAgreed: false))
        }
        draft.keys = VaultKeys(
            anchor: vault.keys.anchor,
            audit: try translated(VaultKeys.fresh(in: vault.key.arena, from: options.random).audit),
            auditHead: .start
        )
        var kept: String?
        do throws(CredentialError) {
            return try folder.save(previous: .replaced) { [draft] current throws(CredentialError) in
                guard current == nil || isReplacing else { throw .vaultExists(path: folder.path) }
                // Of a missing or damaged file it is the last copy.
                if current.flatMap({ try? VaultFile(parsing: $0) }) == nil { kept = try folder.keepPrevious() }
                return draft
            }
        } catch {
            if let kept { try? folder.directory.rename(kept, to: VaultFolder.previousName) }
            throw error
        }
    }
}

extension VaultDisk {
    /// Opens a vault from another location. It must not need more memory and time than a vault of this machine, because
    /// a hostile file could otherwise take a gigabyte for each of its slots.
    ///
    /// - Throws: `CredentialError.tooCostly` before any derivation; any error of `unlock`.
    func openCopy(_ file: VaultFile, _ input: UnlockInput) throws(CredentialError) -> OpenVault {
        let costs = file.header.slots.filter { $0.kind == input.kind }.compactMap(\.cost)
        if let worst = costs.map(\.log2N).max(), worst > options.exportCost.log2N {
            let most = max(options.exportCost.log2N, try cost(in: try arena()).log2N)
            guard worst <= most else { throw .tooCostly(log2N: worst, limit: most) }
        }
        return try unlock(file, input)
    }
}

/// Facts about a vault file that need its key. Every tag in the file was right, also those of all login seals.
package struct VerifiedVault: Sendable {
    /// The number of logins.
    package let loginCount: Int
    /// The result of the comparison with the anchors; nil if there was nothing to compare with, because the file is a
    /// copy elsewhere.
    package let anchor: AnchorStatus?
}
