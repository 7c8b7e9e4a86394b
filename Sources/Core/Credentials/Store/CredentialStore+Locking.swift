// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore

extension CredentialStore {
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
    /// - Parameter before: the value of `locks` when the machine woke up. After a further lock the vault stays as it is.
    /// - Throws: any error of `unlockAutomatically`.
    package func wakeUp(since before: UInt64) async throws {
        if !lockIfExpired() { armLockTimer() }
        // The attempt after an earlier sleep, which is void. It ends with its provider or its scrypt, of which no event is reported.
        while attempts.isRunning { try await loop.sleep(for: .milliseconds(50)) }
        guard locks == before else { return }
        _ = try await unlockAutomatically()
    }

    /// Whether no key is left in memory. False while the vault is open, and until a save or an attempt to unlock that
    /// began before has ended. A save ends within `VaultOptions.lockTimeout` and its own writing, an attempt with its
    /// scrypt.
    package var keysAreGone: Bool {
        lifecycle.vault == nil && retiring.areGone() && !attempts.isRunning
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

    func armLockTimer() {
        lockTimer?.cancel()
        lockTimer = lifecycle.timer.map { timer in
            loop.scheduleTask(in: TimeAmount(timer.deadline - .now), for: self) { store in
                if !store.lockIfExpired() { store.armLockTimer() }
            }
        }
    }

    /// Locks an open vault whose time has expired. Returns whether it did.
    @discardableResult
    package func lockIfExpired() -> Bool {
        guard lifecycle.isExpired(.now) else { return false }
        // The timer is late. The caller whose call detects this has not locked the vault.
        AuditPeer.$caller.withValue(nil) { lock() }
        return true
    }
}
