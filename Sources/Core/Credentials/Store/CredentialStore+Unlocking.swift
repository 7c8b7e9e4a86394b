// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops

/// Creating and opening the vault.
extension CredentialStore {
    /// Makes the vault, and leaves it unlocked.
    ///
    /// - Parameters:
    ///   - input: the secret or the key provider that opens it from now on.
    ///   - extra: a second slot that is added immediately, such as a recovery code.
    ///   - label: the name of the first slot for the user.
    /// - Throws: `CredentialError.vaultExists`, `.invalid`, `.providerUnavailable`, or the error of the save.
    package func create(_ input: UnlockInput, extra: UnlockInput? = nil, label: String = "") async throws {
        try await attempt(with: input.kind, as: .vaultMade) { disk in
            try disk.create(input, extra: extra, label: label)
        }
    }

    /// Opens the vault with the caller's input only.
    ///
    /// Each wrong secret delays the next attempt by another 0.1 s, up to 10 s. An open vault is opened again: this
    /// checks the secret, and adopts a data key that another program has changed.
    ///
    /// - Parameter attended: whether a user waits for the result, so that a key provider may prompt.
    /// - Throws: `CredentialError.wrongKey`, `.damaged`, `.providerUnavailable`, `.noVault`, `.attemptInProgress`;
    ///   `.locked` if the vault was locked again meanwhile.
    package func unlock(_ input: UnlockInput, attended: Bool = true) async throws {
        // The time until it locks counts from the first unlock.
        let isFirst = state != .unlocked
        try await attempt(with: input.kind) { disk in
            try disk.open(input, attended: attended, isCached: isFirst)
        }
    }

    /// Opens the vault without input from the user, with the first of its keys that is stored outside.
    ///
    /// - Throws: any error of `unlock`; `CredentialError.locked` if the vault has no such key.
    package func unlock() async throws {
        if state == .unlocked { return touch() }
        if state == .absent { throw fault ?? CredentialError.noVault(path: disk.options.directory) }
        guard fault == nil, let kind = outsideKind else { throw fault ?? .locked }
        try await unlock(.provider(kind))
    }

    /// Opens the vault at the start if its key provider needs no prompt.
    ///
    /// - Returns: false if the vault has no slot of such a provider, or is not `sealed`.
    /// - Throws: `CredentialError.providerUnavailable` if the provider fails.
    package func unlockAutomatically() async throws -> Bool {
        guard state == .sealed, let kind = outsideKind else { return false }
        try await unlock(.provider(kind), attended: false)
        return true
    }

    /// The kind of the first slot whose key is stored outside. No other provider is tried, so that a failing one is
    /// noticed and repaired.
    private var outsideKind: KeyProviderKind? { header?.slots.first { !$0.kind.isTyped }?.kind }
}

extension CredentialStore {
    /// Opens the vault at the start with the passphrase secret in the kernel's cache. The vault stays open no longer
    /// than it would have without the restart.
    ///
    /// - Returns: false if there is no cache, or it has no entry. The state of the vault is unchanged then.
    package func unlockFromKernelCache() async -> Bool {
        guard disk.options.kernelCache != nil else { return false }
        let policy = disk.options.lockPolicy
        // If this fails for any reason, the user is asked for the passphrase as without a cache.
        return await openSealed { disk in
            try disk.openFromKernelCache().map { vault, remaining in
                let rest = VaultLockPolicy(idle: policy.idle, absolute: min(policy.absolute, remaining))
                return (vault, disk.anchors.copies(for: vault), LockTimer(rest, now: .now))
            }
        }
    }
}

extension CredentialStore {
    /// Runs an attempt to open the vault: one at a time, off the loop, and void if the vault was locked meanwhile.
    func attempt(
        with kind: KeyProviderKind,
        as event: AuditEvent = .vaultUnlocked,
        _ work: @escaping @Sendable (VaultDisk) throws -> OpenVault
    ) async throws {
        let before = locks
        let vault: OpenVault
        let copies: [AnchorCopy]
        do {
            (vault, copies) = try await derive(slowedDown: kind.isTyped, since: before) { disk in
                let vault = try work(disk)
                disk.anchors.removeStaleFiles()
                return (vault, disk.anchors.copies(for: vault))
            }
        } catch {
            noteRefused(error)
            throw error
        }
        guard locks == before else {
            disk.options.kernelCache?.clear(vault.header.slots)
            throw CredentialError.locked
        }
        lifecycle.clearFault()
        if let current = lifecycle.vault {
            // The vault was opened again: the time that it stays open was decided when it was first opened.
            guard vault.header.storeID == current.header.storeID else {
                throw CredentialError.conflict(reason: "it is another vault")
            }
            touch()
            await compare(vault.record)
            guard anchors.trusts(vault.record) else { return }
            let isMissing = anchors.answered(kind)
            await adopt(vault)
            if isMissing, let current = lifecycle.vault { await keepAnchor(of: current) }
            return
        }
        let timer = kind.isTyped ? LockTimer(disk.options.lockPolicy, now: .now) : nil
        await opened(vault, copies, timer, as: event)
    }

    /// Opens a sealed vault with the result of `work`, unless the vault is locked meanwhile.
    ///
    /// - Parameter work: if it returns nil or fails, the state of the vault is unchanged.
    /// - Returns: whether the vault was opened.
    func openSealed(
        _ work: @escaping @Sendable (VaultDisk) throws -> (OpenVault, [AnchorCopy], LockTimer)?
    ) async -> Bool {
        guard case .sealed = lifecycle.phase, (try? attempts.begin()) != nil else { return false }
        defer { attempts.end() }
        let before = locks
        guard let (vault, copies, timer) = try? await onDisk(work), locks == before,
            case .sealed = lifecycle.phase
        else { return false }
        await opened(vault, copies, timer)
        return true
    }

    /// The only transition to `unlocked`. The anchors are compared with the file before any caller can use the vault.
    private func opened(
        _ vault: OpenVault,
        _ copies: [AnchorCopy],
        _ timer: LockTimer?,
        as event: AuditEvent = .vaultUnlocked
    ) async {
        anchors.opened(vault.record, copies)
        // A new vault needs no anchor to be trusted.
        if event == .vaultMade { anchors.accepted(vault.record) }
        noteOpened(vault, as: event)
        lifecycle.open(vault, timer)
        armLockTimer()
        if anchors.suspicion == nil { await keepAnchor(of: vault) } else { audit?.note(AuditEntry(.vaultDegraded)) }
    }

    /// Runs work that may derive a key with scrypt: one at a time, off the loop, and delayed after wrong secrets.
    ///
    /// - Parameters:
    ///   - before: the value of `locks` when the caller read its input. After a further lock the work is not started.
    ///     The caller decides whether a result is still valid after a lock.
    /// - Throws: `CredentialError.attemptInProgress`, `.locked`; any error of `work`.
    func derive<R: Sendable>(
        slowedDown: Bool,
        of subject: UnlockAttempts.Subject = .vault,
        since before: UInt64,
        _ work: @escaping @Sendable (VaultDisk) throws -> R
    ) async throws -> R {
        try attempts.begin()
        defer { attempts.end() }
        let delay = attempts.delay(of: subject)
        if slowedDown, delay > .zero { try await loop.sleep(for: delay) }
        try checkNotLocked(since: before)
        do {
            let result = try await onDisk(work)
            if slowedDown { attempts.succeeded(subject) }
            return result
        } catch {
            if error as? CredentialError == .wrongKey { attempts.failed(subject) }
            throw error
        }
    }
}

extension VaultDisk {
    /// Opens the vault with an entry of the kernel's cache.
    ///
    /// - Returns: the vault, and the time until it must be locked, regardless of use; nil if no entry belongs to a slot
    ///   of the vault.
    fileprivate func openFromKernelCache() throws(CredentialError) -> (vault: OpenVault, remaining: Duration)? {
        guard let cache = options.kernelCache, let folder = try folder(creating: false), let file = try folder.read()
        else { return nil }
        let arena = try arena()
        for slot in file.header.slots where slot.kind == .passphrase {
            guard let entry = cache.entry(for: slot, in: arena) else { continue }
            let key = try slot.unwrap(entry.slotSecret, storeID: file.header.storeID, in: arena)
            return (try OpenVault(file, key: key), entry.remaining)
        }
        return nil
    }
}
