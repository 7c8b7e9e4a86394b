// SPDX-License-Identifier: Apache-2.0

package import Endpoints
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
    nonisolated let loop: any EventLoop
    private let pool: NIOThreadPool

    var lifecycle = VaultLifecycle()
    var attempts = UnlockAttempts()
    var anchors = AnchorState()
    var anchorQueue = AnchorQueue()
    var retiring = RetiringKeys()
    var uses = LoginUses()
    var watchers = LockWatchers()
    var lockTimer: Scheduled<Void>?
    /// Whether the key providers are being queried. A provider that hangs then blocks only one thread of the pool.
    var isAskingProviders = false

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

    /// The current status, without reading the file.
    package var status: VaultStatus {
        let open = lifecycle.vault
        let header = lifecycle.header
        return VaultStatus(
            state: state,
            path: disk.path,
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
    /// that has replaced its file is detected, and so is a file that is gone.
    ///
    /// - Throws: the fault of the file, which `status` continues to report. The store is `sealed` then, or stays
    ///   `locked`.
    package func load() async throws {
        do {
            let known = anchors.newest
            let file = try await onDisk { try $0.look() }
            if lifecycle.vault != nil {
                lifecycle.sawFile(file == nil ? .fileMissing(path: disk.path, copy: nil) : nil)
                // If a save has ended meanwhile, the position that was read looks old.
                if let file, anchors.newest == known { await compare(file.record) }
                return
            }
            lifecycle.saw(file?.header)
            armLockTimer()
        } catch let error as CredentialError {
            if lifecycle.vault != nil {
                if case .fileMissing = error { lifecycle.sawFile(error) }
                throw error
            }
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
            lifecycle.clearFault()
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
        case .absent: throw fault ?? .noVault(path: disk.options.directory)
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
        previous: PreviousFile = .replaced,
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
                    return try vault.save(in: folder, previous: previous) {
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
}
