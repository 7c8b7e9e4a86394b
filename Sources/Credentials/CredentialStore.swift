// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
package import NIOCore
package import NIOPosix
import Platform

/// The vault of the daemon: its state, its logins, and the one way to a password.
///
/// It lives on the event loop; what blocks goes to the thread pool. Saves of one or several stores on a directory are
/// ordered by the lock on disk, and each is applied to the newest file.
package actor CredentialStore {
    enum Phase {
        case absent
        case sealed
        case locked
        case unlocked(OpenVault, LockTimer?)
    }

    nonisolated let loop: any EventLoop
    let pool: NIOThreadPool
    let disk: VaultDisk

    var phase = Phase.absent
    var header: VaultHeader?
    var fault: CredentialError?
    var isAttempting = false
    var isProbing = false
    /// For what opens our vault, and changes what opens it.
    var throttle = UnlockThrottle()
    /// For what opens copies. Whoever brings a copy of their own knows what opens it, which says nothing about ours.
    var copyThrottle = UnlockThrottle()
    /// Counts locks, so that what began before one does not take effect after it.
    package internal(set) var locks: UInt64 = 0
    /// Whether only a person opens the vault, also while its file is missing or damaged.
    var isHeldLocked = false
    var lockTimer: Scheduled<Void>?
    /// Keys of vaults that were locked, as long as something that began before still uses them.
    var fading: [FadingKeys] = []
    /// Days of use that the next save takes along.
    var usedDays: [LoginID: UInt32] = [:]
    var watchers: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    var nextWatcher: UInt64 = 0
    var anchors = AnchorState()
    /// The newest anchor that is still to be written.
    var nextAnchor: VaultAnchors.Draft?
    var isKeepingAnchor = false

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

    package var state: VaultState {
        switch phase {
        case .absent: .absent
        case .sealed: .sealed
        case .locked: .locked
        case .unlocked: .unlocked
        }
    }

    package var status: VaultStatus {
        var open: OpenVault?
        var locksIn: Duration?
        if case .unlocked(let vault, let timer) = phase {
            open = vault
            locksIn = timer.map { $0.deadline - .now }
        }
        let header = open?.header ?? header
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
            locksIn: locksIn,
            loginCount: open?.payload.entries.count,
            fault: fault
        )
    }

    /// Looks at what is on disk. Called once before anything else; an unlocked vault is not touched, but an older file in
    /// its place is noticed.
    ///
    /// - Throws: what is wrong with the file, which `status` goes on telling; the store is `sealed` then, or
    ///   stays `locked`.
    package func load() async throws {
        do {
            let known = anchors.newest
            let sight = try await pool.perform { [disk] in try disk.look() }
            if case .unlocked = phase {
                // A save that ended meanwhile makes what was seen look old.
                if let position = sight?.position, anchors.newest == known { await compare(position) }
                return
            }
            fault = nil
            header = sight?.header
            enter(header == nil ? .absent : isHeldLocked ? .locked : .sealed)
        } catch let error as CredentialError {
            if case .unlocked = phase { throw error }
            fault = error
            header = nil
            enter(isHeldLocked ? .locked : .sealed)
            throw error
        }
    }

    /// Looks again at what is on disk, which a person may have repaired or removed, or another daemon saved. An unlocked
    /// vault stays as it is unless the file is a successor of it; an older file in its place is noticed.
    package func refresh() async {
        if case .unlocked(let vault, _) = phase, anchors.suspicion == nil,
            let newer = try? await pool.perform({ [disk] in try disk.successor(of: vault) })
        {
            return await adopt(newer)
        }
        // What is wrong stands in the status.
        try? await load()
    }

    /// The open vault.
    ///
    /// - Throws: `CredentialError.locked`, `.noVault`
    func open() throws(CredentialError) -> OpenVault {
        // The timer's clock stands still while the machine sleeps.
        if case .unlocked(_, let timer?) = phase, timer.isExpired(.now) { lock() }
        switch phase {
        case .unlocked(let vault, _): return vault
        case .absent: throw .noVault(path: disk.options.directory)
        case .sealed, .locked: throw fault ?? .locked
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
