// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import Platform

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
        guard case .unlocked(let vault, _) = phase else { return }
        // Just made, it needs nothing to speak for it.
        anchors.accepted(VaultPosition(vault))
        await keepAnchor(of: vault)
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
        if case .unlocked = phase { return touch() }
        if case .absent = phase { throw CredentialError.noVault(path: disk.options.directory) }
        guard fault == nil, let kind = outsideKind else { throw fault ?? .locked }
        try await unlock(.provider(kind))
    }

    /// Opens the vault at the start, where its key provider needs no person.
    ///
    /// - Returns: false if the vault has no slot of such a provider, or is not `sealed`.
    /// - Throws: `CredentialError.providerUnavailable` if it has one that fails.
    package func unlockAutomatically() async throws -> Bool {
        guard case .sealed = phase, let kind = outsideKind else { return false }
        try await unlock(.provider(kind), attended: false)
        return true
    }

    /// The kind of the first slot whose key is kept outside. It is the only one asked: one that fails is repaired, not
    /// replaced by the next in silence.
    private var outsideKind: KeyProviderKind? { header?.slots.first { !$0.kind.isTyped }?.kind }

    /// Wipes the keys. What opens the vault again is a person.
    ///
    /// - Parameter keepingCache: leaves what the kernel keeps for the next daemon.
    package func lock(keepingCache: Bool = false) {
        if !keepingCache { disk.options.kernelCache?.clear(header?.slots ?? []) }
        close(to: .locked)
    }

    /// Wipes the keys for as long as the machine sleeps. A vault that a person opened is locked; one that opens without
    /// a person is sealed, as it is after the start, until `wakeUp`: whoever wakes the machine could as well start it.
    package func prepareForSleep() {
        switch phase {
        case .unlocked(_, nil), .sealed: close(to: .sealed)
        case .absent, .locked, .unlocked: lock()
        }
    }

    /// Opens again what `prepareForSleep` has sealed, and locks what would have been locked by time meanwhile.
    ///
    /// - Throws: as `unlockAutomatically`.
    package func wakeUp() async throws {
        lockIfExpired()
        _ = try await unlockAutomatically()
    }

    /// Whether no key is left in memory: false as long as the vault is open, or a save or an attempt to unlock that
    /// began before goes on. A save ends within `VaultOptions.patience` and its own writing, an attempt with its scrypt.
    package var keysAreGone: Bool {
        if case .unlocked = phase { return false }
        fading.removeAll { $0.areGone }
        return !isAttempting && fading.isEmpty
    }

    private func close(to next: Phase) {
        locks += 1
        usedDays = [:]
        switch phase {
        case .absent: break
        case .sealed, .locked: enter(next)
        case .unlocked(let vault, _):
            header = vault.header
            audit?.vaultClosed()
            fading.removeAll { $0.areGone }
            fading.append(FadingKeys(arena: vault.schedule.arena))
            enter(next)
        }
        for watcher in watchers.values { watcher.yield(locks) }
    }

    /// Something used the vault: the idle time starts anew.
    package func touch() {
        guard case .unlocked(let vault, var timer?) = phase else { return }
        guard !timer.isExpired(.now) else { return lock() }
        timer.touch(.now)
        phase = .unlocked(vault, timer)
    }

    /// How often the vault was locked or sealed until now, and the new number each time that it is. A slow reader sees the
    /// last one only, which tells of a lock also where the vault is open again.
    package func lockCounts() -> AsyncStream<UInt64> {
        let (stream, continuation) = AsyncStream.makeStream(of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = nextWatcher
        nextWatcher += 1
        watchers[watcher] = continuation
        continuation.onTermination = { [weak self, loop] _ in
            loop.execute { [weak self] in self?.assumeIsolated { _ = $0.watchers.removeValue(forKey: watcher) } }
        }
        continuation.yield(locks)
        return stream
    }

    /// One attempt at a time, off the loop, and void if the vault was locked meanwhile.
    func attempt(
        with kind: KeyProviderKind,
        as event: AuditEvent = .vaultUnlocked,
        _ work: @escaping @Sendable (VaultDisk) throws -> OpenVault
    ) async throws {
        let before = locks
        let vault: OpenVault
        let findings: [AnchorPlace: AnchorFinding]
        do {
            (vault, findings) = try await derive(slowedDown: kind.isTyped, since: before) { disk in
                let vault = try work(disk)
                disk.anchors.removeStaleFiles()
                return (vault, disk.anchors.findings(for: vault))
            }
        } catch {
            noteRefused(error)
            throw error
        }
        guard locks == before else {
            disk.options.kernelCache?.clear(vault.header.slots)
            throw CredentialError.locked
        }
        fault = nil
        if case .unlocked(let current, _) = phase {
            // Opened again: the time it stays open was decided when it was opened first.
            guard vault.header.storeID == current.header.storeID else {
                throw CredentialError.conflict(reason: "it is another vault")
            }
            touch()
            await compare(VaultPosition(vault))
            guard anchors.trusts(VaultPosition(vault)) else { return }
            let isMissing = anchors.answered(kind)
            await adopt(vault)
            if isMissing, case .unlocked(let current, _) = phase { await keepAnchor(of: current) }
            return
        }
        let timer = kind.isTyped ? LockTimer(disk.options.lockPolicy, now: .now) : nil
        await opened(vault, findings, timer, as: event)
    }

    /// The one way into `unlocked`: what the anchors say of the file is known before anybody can use it.
    func opened(
        _ vault: OpenVault,
        _ findings: [AnchorPlace: AnchorFinding],
        _ timer: LockTimer?,
        as event: AuditEvent = .vaultUnlocked
    ) async {
        header = vault.header
        anchors.opened(VaultPosition(vault), findings)
        noteOpened(vault, as: event)
        enter(.unlocked(vault, timer))
        if anchors.suspicion == nil { await keepAnchor(of: vault) } else { audit?.note(AuditEntry(.vaultDegraded)) }
    }

    /// Work that may take a passphrase's scrypt: one at a time, off the loop, and later after each wrong secret.
    ///
    /// - Parameters:
    ///   - ofCopy: what is opened is not our vault's file, and counts for itself.
    ///   - before: `locks` when what is worked on was taken. The work is not begun after a further lock; whether its
    ///     result is of use then, the caller knows.
    /// - Throws: `CredentialError.attemptInProgress`, `.locked`, and what `work` throws.
    func derive<R: Sendable>(
        slowedDown: Bool,
        ofCopy: Bool = false,
        since before: UInt64,
        _ work: @escaping @Sendable (VaultDisk) throws -> R
    ) async throws -> R {
        guard !isAttempting else { throw CredentialError.attemptInProgress }
        isAttempting = true
        defer { isAttempting = false }
        let delay = ofCopy ? copyThrottle.delay : throttle.delay
        if slowedDown, delay > .zero { try await loop.sleep(for: delay) }
        try checkNotLocked(since: before)
        do {
            let result = try await pool.perform { [disk] in try work(disk) }
            if slowedDown { count(ofCopy: ofCopy) { $0.succeeded() } }
            return result
        } catch {
            if error as? CredentialError == .wrongKey { count(ofCopy: ofCopy) { $0.failed() } }
            throw error
        }
    }

    private func count(ofCopy: Bool, _ outcome: (inout UnlockThrottle) -> Void) {
        if ofCopy { outcome(&copyThrottle) } else { outcome(&throttle) }
    }

    /// - Throws: `CredentialError.locked` if `locks` has counted on.
    package func checkNotLocked(since before: UInt64) throws(CredentialError) {
        guard locks == before else { throw .locked }
    }

    func enter(_ next: Phase) {
        phase = next
        switch next {
        case .locked: isHeldLocked = true
        case .sealed, .unlocked: isHeldLocked = false
        case .absent: break
        }
        armLockTimer()
    }

    private func armLockTimer() {
        lockTimer?.cancel()
        lockTimer = nil
        guard case .unlocked(_, let timer?) = phase else { return }
        lockTimer = loop.scheduleTask(in: TimeAmount(timer.deadline - .now)) { [weak self] in
            self?.assumeIsolated { $0.lockIfExpired() }
        }
    }

    private func lockIfExpired() {
        guard case .unlocked(_, let timer?) = phase else { return }
        if timer.isExpired(.now) { lock() } else { armLockTimer() }
    }
}
