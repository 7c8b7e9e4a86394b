// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
package import NIOCore
package import NIOPosix
import Platform

/// The owner of the daemon's vault: its state and its logins. Passwords are accessed only through it.
///
/// It runs on the event loop, and blocking work runs on the thread pool. Saves by several stores on one directory are
/// ordered by the lock on disk, and each is applied to the newest file.
package actor CredentialStore {
    nonisolated let disk: VaultDisk
    private nonisolated let loop: any EventLoop
    private let pool: NIOThreadPool

    private var lifecycle = VaultLifecycle()
    private var attempts = UnlockAttempts()
    private var anchors = AnchorState()
    private var anchorQueue = AnchorQueue()
    private var retiring = RetiringKeys()
    private var uses = LoginUses()
    private var watchers = LockWatchers()
    private var lockTimer: Scheduled<Void>?
    private var isAskingProviders = false

    /// Makes a store. Call `load` before anything else.
    ///
    /// - Parameters:
    ///   - loop: the executor of this actor.
    ///   - pool: a started pool, which must outlive the store.
    package init(_ options: VaultOptions, loop: any EventLoop, pool: NIOThreadPool) {
        self.loop = loop
        self.pool = pool
        disk = VaultDisk(options: options)
    }

    /// The event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    // MARK: State

    /// Whether there is a vault, and whether it is open.
    package var state: VaultState { lifecycle.state }

    /// The number of locks until now. Work that began before a lock must not take effect after it.
    package var locks: UInt64 { lifecycle.locks }

    /// The header of the vault's file when it was last read; nil if there is none, or it cannot be used.
    var header: VaultHeader? { lifecycle.header }

    /// The fault of the vault's file; nil if there is none.
    var fault: CredentialError? { lifecycle.fault }

    /// The delay before the next attempt to open the vault, or a copy.
    func delay(of subject: UnlockAttempts.Subject) -> Duration { attempts.delay(of: subject) }

    /// Whether an attempt to open a vault is running.
    var isAttempting: Bool { attempts.isRunning }

    /// The anchor of the last known save.
    var newestAnchor: AnchorRecord? { anchors.newest }

    /// The number of subscribers of `lockCounts`.
    var watcherCount: Int { watchers.count }

    /// The current status, without reading the file.
    package var status: VaultStatus {
        let open = lifecycle.vault
        let header = lifecycle.header
        return VaultStatus(
            state: state,
            path: disk.options.directory + "/" + VaultFolder.fileName,
            generation: header?.generation,
            format: header?.format,
            slots: header?.slotFacts ?? [],
            weakestSlot: header?.weakestSlot,
            memory: open?.key.arena.protection,
            memoryShortfall: open?.key.arena.shortfall,
            anchor: open == nil ? nil : anchors.status,
            locksIn: lifecycle.timer.map { $0.deadline - .now },
            loginCount: open?.payload.entries.count,
            fault: fault
        )
    }

    // MARK: The file

    /// Reads the file on disk. Call it once before anything else. An unlocked vault is not changed, but an older file
    /// that has replaced its file is detected.
    ///
    /// - Throws: the fault of the file, which `status` continues to report. The store is `sealed` then, or stays
    ///   `locked`.
    package func load() async throws {
        do {
            let known = anchors.newest
            let file = try await onDisk { try $0.look() }
            if lifecycle.vault != nil {
                // If a save has ended meanwhile, the position that was read looks old.
                if let file, anchors.newest == known { await compare(file.record) }
                return
            }
            lifecycle.saw(file?.header)
            armLockTimer()
        } catch let error as CredentialError {
            if lifecycle.vault != nil { throw error }
            lifecycle.saw(error)
            armLockTimer()
            throw error
        }
    }

    /// Reads the file on disk again, because the user may have repaired or removed it, or another daemon may have saved
    /// it. An unlocked vault stays unchanged unless the file is its successor. If an older file has replaced its file,
    /// this is detected.
    package func refresh() async {
        if let vault = lifecycle.vault, anchors.suspicion == nil,
            let newer = try? await onDisk({ try $0.newest(vault).vault })
        {
            return await adopt(newer)
        }
        // The status reports the fault.
        try? await load()
    }

    /// Returns the open vault.
    ///
    /// - Throws: `CredentialError.locked`, `.noVault`
    func open() throws(CredentialError) -> OpenVault {
        // The timer's clock stops while the machine sleeps.
        lockIfExpired()
        switch lifecycle.phase {
        case .unlocked(let vault, _): return vault
        case .absent: throw .noVault(path: disk.options.directory)
        case .sealed, .locked: throw fault ?? .locked
        }
    }

    /// Runs work that blocks on the thread pool.
    func onDisk<R: Sendable>(_ work: @escaping @Sendable (VaultDisk) throws -> R) async throws -> R {
        try await pool.perform { [disk] in try work(disk) }
    }

    // MARK: Saving

    /// Applies a change to the newest file, and adopts the saved vault.
    ///
    /// - Parameter entry: the line for the audit log, written before the change. If the change fails, a second line
    ///   records that.
    func save(
        _ entry: AuditEntry,
        dropsPrevious: Bool = false,
        _ change: @escaping @Sendable (OpenVault, inout VaultPayload) throws(CredentialError) -> Void
    ) async throws -> OpenVault {
        let used = uses
        let saved = try await checkingTrust {
            let vault = try open()
            touch()
            // Check first: a change that is not possible must not be recorded as done.
            try await pool.perform {
                var trial = vault.payload
                try change(vault, &trial)
            }
            return try await audited(entry) {
                try await onDisk { disk in
                    let folder = try disk.folder(of: vault)
                    return try vault.save(in: folder, dropsPrevious: dropsPrevious) {
                        base,
                        draft throws(CredentialError) in
                        try change(base, &draft.payload)
                        used.apply(to: &draft.payload)
                    }
                }
            }
        }
        uses.remove(used)
        await adopt(saved)
        return saved
    }

    /// Adopts a saved vault. Since the save began, another one may have come first, or the vault may have been locked.
    func adopt(_ saved: OpenVault) async {
        guard case .unlocked(let vault, let timer) = lifecycle.phase else {
            // Without the anchor of this save, the next unlock would accept the file before it as the newest.
            guard let newest = anchors.newest, newest.storeID == saved.header.storeID,
                saved.header.generation > newest.generation
            else { return }
            anchors.saved(saved.record)
            return await keepAnchor(of: saved)
        }
        guard vault.header.storeID == saved.header.storeID, saved.header.generation > vault.header.generation
        else { return }
        disk.options.kernelCache?.keepOnly(saved.header.slots)
        // The slot that opened the vault may have been removed. If only typed slots remain, the vault locks by time.
        let isTyped = saved.header.slots.allSatisfy(\.kind.isTyped)
        lifecycle.open(saved, timer ?? (isTyped ? LockTimer(disk.options.lockPolicy, now: .now) : nil))
        armLockTimer()
        anchors.saved(saved.record)
        await keepAnchor(of: saved)
    }

    /// Records that a login is used now.
    func noteUse(of id: LoginID) {
        touch()
        uses.note(id, at: disk.options.now())
    }

    // MARK: Opening

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
            if error as? CredentialError == .wrongKey { noteWrongSecret(of: subject) }
            throw error
        }
    }

    /// Increases the delay of the next attempt.
    func noteWrongSecret(of subject: UnlockAttempts.Subject) { attempts.failed(subject) }

    /// Queries the key providers, one call at a time, so that a provider that hangs blocks only one thread of the pool.
    ///
    /// - Throws: `CredentialError.attemptInProgress` if the providers are being queried already.
    func askProviders<R: Sendable>(_ question: @escaping @Sendable (VaultDisk) throws -> R) async throws -> R {
        guard !isAskingProviders else { throw CredentialError.attemptInProgress }
        isAskingProviders = true
        defer { isAskingProviders = false }
        return try await onDisk(question)
    }

    // MARK: Locking

    /// Wipes the keys. Only the user can then open the vault again.
    ///
    /// - Parameter keepingCache: keeps the entry in the kernel's cache for the next daemon.
    package func lock(keepingCache: Bool = false) {
        if !keepingCache { disk.options.kernelCache?.clear(header?.slots ?? []) }
        close(isSealed: false)
    }

    /// Wipes the keys while the machine sleeps. A vault that opens without the user is sealed until `wakeUp`, as after
    /// the start: a thief who can wake the machine could also start it. Any other vault is locked.
    package func prepareForSleep() {
        switch lifecycle.phase {
        case .unlocked(_, nil), .sealed: close(isSealed: true)
        case .absent, .locked, .unlocked: lock()
        }
    }

    /// Opens a vault that `prepareForSleep` has sealed, and locks an open vault whose time has expired.
    ///
    /// - Throws: any error of `unlockAutomatically`.
    package func wakeUp() async throws {
        if !lockIfExpired() { armLockTimer() }
        _ = try await unlockAutomatically()
    }

    /// Whether no key is left in memory. False while the vault is open, and until a save or an attempt to unlock that
    /// began before has ended. A save ends within `VaultOptions.lockTimeout` and its own writing, an attempt with its
    /// scrypt.
    package var keysAreGone: Bool {
        lifecycle.vault == nil && retiring.areGone() && !isAttempting
    }

    private func close(isSealed: Bool) {
        uses.removeAll()
        if let closed = lifecycle.close(isSealed: isSealed) {
            audit?.vaultClosed()
            retiring.retire(closed.key.arena)
        }
        armLockTimer()
        watchers.send(locks)
    }

    /// Records a use of the vault, which resets its idle timer.
    package func touch() {
        if !lockIfExpired() { lifecycle.resetIdleTimer(.now) }
    }

    /// The current number of locks, and the new number after each lock or seal. A slow reader receives only the latest
    /// number. It detects a lock by the change even if the vault is open again.
    package func lockCounts() -> AsyncStream<UInt64> {
        let (stream, continuation) = AsyncStream.makeStream(of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = watchers.join(continuation)
        continuation.onTermination = { [weak self, loop] _ in
            guard let self else { return }
            loop.execute(for: self) { $0.watchers.leave(watcher) }
        }
        continuation.yield(locks)
        return stream
    }

    /// Checks that the vault was not locked meanwhile.
    ///
    /// - Throws: `CredentialError.locked` if `locks` has increased.
    package func checkNotLocked(since before: UInt64) throws(CredentialError) {
        guard locks == before else { throw .locked }
    }

    private func armLockTimer() {
        lockTimer?.cancel()
        lockTimer = lifecycle.timer.map { timer in
            loop.scheduleTask(in: TimeAmount(timer.deadline - .now), for: self) { store in
                if !store.lockIfExpired() { store.armLockTimer() }
            }
        }
    }

    /// Locks an open vault whose time has expired. Returns whether it did.
    @discardableResult
    private func lockIfExpired() -> Bool {
        guard lifecycle.isExpired(.now) else { return false }
        // The timer is late. The caller whose call detects this has not locked the vault.
        AuditPeer.$caller.withValue(nil) { lock() }
        return true
    }

    // MARK: Trust

    /// Refuses a login or a save while the file is suspected of rollback or fork.
    ///
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected`
    package func checkTrust() throws(CredentialError) {
        if lifecycle.vault != nil, let suspicion = anchors.suspicion { throw suspicion }
    }

    /// Makes a save unless the file is suspected, and records a save that was refused because the file is suspected.
    func checkingTrust<R>(_ save: () async throws -> R) async throws -> R {
        if !anchors.trusts(try open().record) {
            // The open vault is from the wrong file. The right file may be there again.
            await refresh()
            try checkTrust()
        }
        do {
            return try await save()
        } catch let error as CredentialError {
            anchors.refused(error)
            throw error
        }
    }

    /// Accepts the vault file on disk, although an anchor raises suspicion against it.
    ///
    /// - Parameter generation: the generation of that file, so that the user accepts only a file that they have seen.
    ///   If the vault is not suspected, the call changes nothing.
    /// - Throws: `CredentialError.wrongGeneration`, `.locked`, `.noVault`, `.auditUnavailable`, or the error of opening
    ///   the file.
    package func accept(generation: UInt64) async throws {
        let before = locks
        let vault = try open()
        let found = try await onDisk { try $0.reopen(vault) }
        try checkNotLocked(since: before)
        guard found.header.generation == generation else {
            throw CredentialError.wrongGeneration(asked: generation, found: found.header.generation)
        }
        try await audited(AuditEntry(.vaultAccepted)) {
            guard locks == before, let current = lifecycle.vault else { throw CredentialError.locked }
            guard current.hash == vault.hash else { throw CredentialError.conflict(reason: "it was just saved") }
            lifecycle.replace(with: found)
            anchors.accepted(found.record)
        }
        await keepAnchor(of: found)
    }

    /// Compares the file on disk with the newest anchor, while the vault is unlocked.
    private func compare(_ seen: AnchorRecord) async {
        let wasSuspected = anchors.suspicion != nil
        anchors.saw(seen)
        guard wasSuspected, anchors.suspicion == nil, let vault = lifecycle.vault, vault.hash != seen.hash
        else { return }
        // The right file is there again. The open vault is from the other one.
        let before = locks
        let reopened = try? await onDisk { try $0.reopen(vault) }
        guard locks == before else { return }
        guard let reopened, anchors.trusts(reopened.record) else { return lock() }
        lifecycle.replace(with: reopened)
        anchors.saved(reopened.record)
    }

    /// Stores the anchor of a save in all locations. Status reports a failure, which does not undo the save.
    private func keepAnchor(of vault: OpenVault) async {
        guard let draft = try? VaultAnchors.draft(of: vault), anchorQueue.add(draft) else { return }
        defer { anchorQueue.end() }
        while let draft = anchorQueue.take() {
            let failed = anchors.failedProviders
            guard let copies = try? await onDisk({ $0.anchors.keep(draft, skipping: failed) }) else { return }
            anchors.wrote(copies)
        }
    }
}
