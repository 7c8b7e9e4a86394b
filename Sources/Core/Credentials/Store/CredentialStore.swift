// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
package import NIOCore
package import NIOPosix
import Platform

/// Owner of the daemon's vault: its state, its logins, and the one way to a password.
///
/// It lives on the event loop; what blocks goes to the thread pool. Saves of one or several stores on a directory are
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

    /// - Parameters:
    ///   - loop: the executor of this actor.
    ///   - pool: started; it outlives the store.
    package init(_ options: VaultOptions, loop: any EventLoop, pool: NIOThreadPool) {
        self.loop = loop
        self.pool = pool
        disk = VaultDisk(options: options)
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    // MARK: State

    package var state: VaultState { lifecycle.state }

    /// Counts locks, so that what began before one does not take effect after it.
    package var locks: UInt64 { lifecycle.locks }

    /// Of the vault's file as it was seen last; nil if there is none, or it cannot be used.
    var header: VaultHeader? { lifecycle.header }

    /// What is wrong with the vault's file.
    var fault: CredentialError? { lifecycle.fault }

    /// The delays before the next attempts.
    var throttle: UnlockThrottle { attempts.throttle }

    /// As `throttle`, for copies.
    var copyThrottle: UnlockThrottle { attempts.copyThrottle }

    /// Whether an attempt to open a vault is being made.
    var isAttempting: Bool { attempts.isRunning }

    /// The anchor of the last save known.
    var newestAnchor: RollbackAnchor? { anchors.newest }

    /// How many follow `lockCounts`.
    var watcherCount: Int { watchers.count }

    package var status: VaultStatus {
        let open = lifecycle.vault
        let header = lifecycle.header
        let slots = SlotList(header?.slots ?? [])
        return VaultStatus(
            state: state,
            path: disk.options.directory + "/" + VaultFolder.fileName,
            generation: header?.generation,
            format: header.map { "\(VaultHeader.major).\($0.minor)" },
            slots: slots.slots.map { VaultStatus.Slot($0, named: slots.shortID(of: $0)) },
            weakestSlot: slots.weakest.map(slots.shortID),
            memory: open?.schedule.arena.protection,
            memoryShortfall: open?.schedule.arena.shortfall,
            anchor: open == nil ? nil : anchors.status,
            locksIn: lifecycle.timer.map { $0.deadline - .now },
            loginCount: open?.payload.entries.count,
            fault: fault
        )
    }

    // MARK: The file

    /// Looks at what is on disk. Called once before anything else; an unlocked vault is not touched, but an older file in
    /// its place is noticed.
    ///
    /// - Throws: what is wrong with the file, which `status` goes on telling; the store is `sealed` then, or
    ///   stays `locked`.
    package func load() async throws {
        do {
            let known = anchors.newest
            let sight = try await onDisk { try $0.look() }
            if lifecycle.vault != nil {
                // A save that ended meanwhile makes what was seen look old.
                if let position = sight?.position, anchors.newest == known { await compare(position) }
                return
            }
            lifecycle.saw(sight?.header)
            armLockTimer()
        } catch let error as CredentialError {
            if lifecycle.vault != nil { throw error }
            lifecycle.saw(error)
            armLockTimer()
            throw error
        }
    }

    /// Looks again at what is on disk, which a person may have repaired or removed, or another daemon saved. An unlocked
    /// vault stays as it is unless the file is a successor of it; an older file in its place is noticed.
    package func refresh() async {
        if let vault = lifecycle.vault, anchors.suspicion == nil,
            let newer = try? await onDisk({ try $0.successor(of: vault) })
        {
            return await adopt(newer)
        }
        // What is wrong stands in the status.
        try? await load()
    }

    /// Returns the open vault.
    ///
    /// - Throws: `CredentialError.locked`, `.noVault`
    func open() throws(CredentialError) -> OpenVault {
        // The timer's clock stands still while the machine sleeps.
        if lifecycle.isExpired(.now) { lock() }
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

    /// Applies a change to the newest file, and takes what was saved as ours.
    ///
    /// - Parameter entry: what the audit log tells of it before it is made. If it then fails, a second line says so.
    func save(
        _ entry: AuditEntry,
        dropsPrevious: Bool = false,
        _ change: @escaping @Sendable (OpenVault, inout VaultPayload) throws(CredentialError) -> Void
    ) async throws -> OpenVault {
        let used = uses
        let saved = try await guardingTrust {
            let vault = try open()
            touch()
            // What cannot be done is not told as done.
            try await pool.perform {
                var trial = vault.payload
                try change(vault, &trial)
            }
            return try await telling(entry) {
                try await onDisk { disk in
                    try disk.update(vault, dropsPrevious: dropsPrevious) { base, payload throws(CredentialError) in
                        try change(base, &payload)
                        used.apply(to: &payload)
                    }
                }
            }
        }
        uses.remove(used)
        await adopt(saved)
        return saved
    }

    /// Another save may have come first, and the vault may have been locked, since this one began.
    func adopt(_ saved: OpenVault) async {
        guard case .unlocked(let vault, let timer) = lifecycle.phase else {
            // Without its anchor, the next unlock would take the file before it for the newest.
            guard let newest = anchors.newest, newest.storeID == saved.header.storeID,
                saved.header.generation > newest.generation
            else { return }
            anchors.saved(VaultPosition(saved))
            return await keepAnchor(of: saved)
        }
        guard vault.header.storeID == saved.header.storeID, saved.header.generation > vault.header.generation
        else { return }
        disk.options.kernelCache?.keepOnly(saved.header.slots)
        // What opened it may be gone: with nothing left but what a person types, it locks by time.
        let isTyped = saved.header.slots.allSatisfy(\.kind.isTyped)
        lifecycle.open(saved, timer ?? (isTyped ? LockTimer(disk.options.lockPolicy, now: .now) : nil))
        armLockTimer()
        anchors.saved(VaultPosition(saved))
        await keepAnchor(of: saved)
    }

    /// Records that a login is used now.
    func noteUse(of id: LoginID) {
        touch()
        uses.note(id, at: disk.options.now())
    }

    // MARK: Opening

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
        lifecycle.clearFault()
        if let current = lifecycle.vault {
            // Opened again: the time it stays open was decided when it was opened first.
            guard vault.header.storeID == current.header.storeID else {
                throw CredentialError.conflict(reason: "it is another vault")
            }
            touch()
            await compare(VaultPosition(vault))
            guard anchors.trusts(VaultPosition(vault)) else { return }
            let isMissing = anchors.answered(kind)
            await adopt(vault)
            if isMissing, let current = lifecycle.vault { await keepAnchor(of: current) }
            return
        }
        let timer = kind.isTyped ? LockTimer(disk.options.lockPolicy, now: .now) : nil
        await opened(vault, findings, timer, as: event)
    }

    /// Opens a sealed vault with what `work` finds, if the vault is not locked meanwhile.
    ///
    /// - Parameter work: returns nil, or fails, where nothing opens it; the vault is as it was then.
    /// - Returns: whether it was opened.
    func openSealed(_ work: @escaping @Sendable (VaultDisk) throws -> CachedOpening?) async -> Bool {
        guard case .sealed = lifecycle.phase, (try? attempts.begin()) != nil else { return false }
        defer { attempts.end() }
        let before = locks
        guard let opened = try? await onDisk(work), locks == before, case .sealed = lifecycle.phase else {
            return false
        }
        let policy = disk.options.lockPolicy
        let rest = VaultLockPolicy(idle: policy.idle, absolute: min(policy.absolute, opened.remaining))
        await self.opened(opened.vault, opened.findings, LockTimer(rest, now: .now))
        return true
    }

    /// The one way into `unlocked`: what the anchors say of the file is known before anybody can use it.
    private func opened(
        _ vault: OpenVault,
        _ findings: [AnchorPlace: AnchorFinding],
        _ timer: LockTimer?,
        as event: AuditEvent = .vaultUnlocked
    ) async {
        anchors.opened(VaultPosition(vault), findings)
        noteOpened(vault, as: event)
        lifecycle.open(vault, timer)
        armLockTimer()
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
        try attempts.begin()
        defer { attempts.end() }
        let delay = attempts.delay(ofCopy: ofCopy)
        if slowedDown, delay > .zero { try await loop.sleep(for: delay) }
        try checkNotLocked(since: before)
        do {
            let result = try await onDisk(work)
            if slowedDown { attempts.succeeded(ofCopy: ofCopy) }
            return result
        } catch {
            if error as? CredentialError == .wrongKey { noteWrongSecret(ofCopy: ofCopy) }
            throw error
        }
    }

    /// Has the next attempt wait longer.
    func noteWrongSecret(ofCopy: Bool) { attempts.failed(ofCopy: ofCopy) }

    /// Runs a question to the key providers.
    ///
    /// - Throws: `CredentialError.attemptInProgress` while they are being asked already: however many want to know, a
    ///   provider that hangs holds one thread of the pool.
    func askProviders<R: Sendable>(_ question: @escaping @Sendable (VaultDisk) throws -> R) async throws -> R {
        guard !isAskingProviders else { throw CredentialError.attemptInProgress }
        isAskingProviders = true
        defer { isAskingProviders = false }
        return try await onDisk(question)
    }

    // MARK: Locking

    /// Wipes the keys. What opens the vault again is a person.
    ///
    /// - Parameter keepingCache: leaves what the kernel keeps for the next daemon.
    package func lock(keepingCache: Bool = false) {
        if !keepingCache { disk.options.kernelCache?.clear(header?.slots ?? []) }
        close(isSealed: false)
    }

    /// Wipes the keys for as long as the machine sleeps. A vault that a person opened is locked; one that opens without
    /// a person is sealed, as it is after the start, until `wakeUp`: whoever wakes the machine could as well start it.
    package func prepareForSleep() {
        switch lifecycle.phase {
        case .unlocked(_, nil), .sealed: close(isSealed: true)
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
        lifecycle.vault == nil && retiring.areGone() && !isAttempting
    }

    private func close(isSealed: Bool) {
        uses.removeAll()
        if let closed = lifecycle.close(isSealed: isSealed) {
            audit?.vaultClosed()
            retiring.retire(closed.schedule.arena)
        }
        armLockTimer()
        watchers.send(locks)
    }

    /// Something used the vault: the idle time starts anew.
    package func touch() {
        if lifecycle.isExpired(.now) { lock() } else { lifecycle.resetIdleTimer(.now) }
    }

    /// How often the vault was locked or sealed until now, and the new number each time that it is. A slow reader sees the
    /// last one only, which tells of a lock also where the vault is open again.
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

    /// - Throws: `CredentialError.locked` if `locks` has counted on.
    package func checkNotLocked(since before: UInt64) throws(CredentialError) {
        guard locks == before else { throw .locked }
    }

    private func armLockTimer() {
        lockTimer?.cancel()
        lockTimer = lifecycle.timer.map { timer in
            loop.scheduleTask(in: TimeAmount(timer.deadline - .now), for: self) { $0.lockIfExpired() }
        }
    }

    private func lockIfExpired() {
        if lifecycle.isExpired(.now) { lock() } else { armLockTimer() }
    }

    // MARK: Trust

    /// Refuses what an older or forked file must not lead to: a login, and a save.
    ///
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected`
    package func checkTrust() throws(CredentialError) {
        if lifecycle.vault != nil, let suspicion = anchors.suspicion { throw suspicion }
    }

    /// Goes around every save: nothing follows a file that is suspected, and a save that refused one is noted.
    func guardingTrust<R>(_ save: () async throws -> R) async throws -> R {
        if !anchors.trusts(VaultPosition(try open())) {
            // What was opened is the wrong file; the right one may have come back.
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

    /// Takes the open vault as it is: it was just made, or a person has accepted it.
    func trustOpenVault() async {
        guard let vault = lifecycle.vault else { return }
        anchors.accepted(VaultPosition(vault))
        await keepAnchor(of: vault)
    }

    /// Takes the file that is there for the vault, although an anchor speaks against it.
    ///
    /// - Parameter generation: of that file, so that nobody accepts what they have not seen. Naming the generation of a
    ///   vault that nothing speaks against changes nothing.
    /// - Throws: `CredentialError.wrongGeneration`, `.locked`, `.noVault`, `.auditUnavailable`, and why the file cannot be
    ///   opened.
    package func accept(generation: UInt64) async throws {
        let before = locks
        let vault = try open()
        let found = try await onDisk { try $0.reopen(vault) }
        try checkNotLocked(since: before)
        guard found.header.generation == generation else {
            throw CredentialError.wrongGeneration(asked: generation, found: found.header.generation)
        }
        try await telling(AuditEntry(.vaultAccepted)) {
            guard locks == before, let current = lifecycle.vault else { throw CredentialError.locked }
            guard current.hash == vault.hash else { throw CredentialError.conflict(reason: "it was saved meanwhile") }
            lifecycle.replace(with: found)
            anchors.accepted(VaultPosition(found))
        }
        await keepAnchor(of: found)
    }

    /// Holds what is on disk against the newest anchor, while the vault is unlocked.
    private func compare(_ seen: VaultPosition) async {
        let wasSuspected = anchors.suspicion != nil
        anchors.saw(seen)
        guard wasSuspected, anchors.suspicion == nil, let vault = lifecycle.vault, vault.hash != seen.hash
        else { return }
        // The right file is back; what was opened is the other one.
        let before = locks
        let reopened = try? await onDisk { try $0.reopen(vault) }
        guard locks == before else { return }
        guard let reopened, anchors.trusts(VaultPosition(reopened)) else { return lock() }
        lifecycle.replace(with: reopened)
        anchors.saved(VaultPosition(reopened))
    }

    /// Remembers a save in all places. What fails there is told by status, and undoes nothing.
    private func keepAnchor(of vault: OpenVault) async {
        guard let draft = try? VaultAnchors.draft(of: vault), anchorQueue.add(draft) else { return }
        defer { anchorQueue.end() }
        while let draft = anchorQueue.take() {
            let skipped = anchors.failedProviders
            guard let outcome = try? await onDisk({ $0.anchors.keep(draft, skipping: skipped) }) else { return }
            anchors.wrote(outcome.places, faults: outcome.faults)
        }
    }
}

extension VaultStatus.Slot {
    init(_ slot: KeySlot, named id: String) {
        self.id = id
        kind = slot.kind
        label = slot.label
        strength = slot.kind.strength
        log2N = slot.cost?.log2N
        created = slot.created
    }
}
