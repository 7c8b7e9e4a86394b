// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
package import Platform

extension CredentialStore {
    /// Makes the vault, and leaves it unlocked.
    ///
    /// - Parameters:
    ///   - provider: `passphrase`, which needs one, or `credentialsDirectory`.
    ///   - label: names the slot for people.
    /// - Throws: `CredentialError.vaultExists`, `.invalid`, `.providerUnavailable`, or why it could not be saved.
    package func create(provider: KeyProviderKind, passphrase: consuming Secret?, label: String = "") async throws {
        let passphrase = SharedSecret(passphrase)
        try await attempt(with: provider) { disk in
            try disk.create(provider, passphrase: passphrase, label: label)
        }
    }

    /// Opens the vault for a person: with the passphrase, or without one by the key provider that needs none.
    ///
    /// A wrong passphrase makes the next attempt wait for 0.1 s more, up to 10 s.
    ///
    /// - Throws: `CredentialError.wrongKey`, `.damaged`, `.providerUnavailable`, `.noVault`, `.attemptInProgress`, and
    ///   `.locked` if the vault was locked again meanwhile.
    package func unlock(passphrase: consuming Secret?) async throws {
        let passphrase = SharedSecret(passphrase)
        if case .unlocked = phase { return touch() }
        let kind: KeyProviderKind = passphrase == nil ? .credentialsDirectory : .passphrase
        try await attempt(with: kind) { disk in
            try disk.open(kind, passphrase: passphrase)
        }
    }

    /// Opens the vault at the start, where its key provider needs no person.
    ///
    /// - Returns: false if the vault has no slot of such a provider, or is not `sealed`.
    /// - Throws: `CredentialError.providerUnavailable` if it has one that fails.
    package func unlockAutomatically() async throws -> Bool {
        guard case .sealed = phase, let header else { return false }
        guard header.slots.contains(where: { $0.kind == .credentialsDirectory }) else { return false }
        try await attempt(with: .credentialsDirectory) { disk in
            try disk.open(.credentialsDirectory, passphrase: nil)
        }
        return true
    }

    /// Wipes the keys. What opens the vault again is a person.
    package func lock() {
        locks += 1
        usedDays = [:]
        switch phase {
        case .absent: break
        case .sealed, .locked: enter(.locked)
        case .unlocked(let vault, _):
            header = vault.header
            enter(.locked)
        }
    }

    /// Something used the vault: the idle time starts anew.
    package func touch() {
        guard case .unlocked(let vault, var timer?) = phase else { return }
        timer.touch(.now())
        phase = .unlocked(vault, timer)
    }

    /// The state now, and every one it comes to. A slow reader sees the last one only.
    package func states() -> AsyncStream<VaultState> {
        let (stream, continuation) = AsyncStream.makeStream(of: VaultState.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = nextWatcher
        nextWatcher += 1
        watchers[watcher] = continuation
        continuation.onTermination = { [weak self, loop] _ in
            loop.execute { [weak self] in self?.assumeIsolated { _ = $0.watchers.removeValue(forKey: watcher) } }
        }
        continuation.yield(state)
        return stream
    }

    /// One attempt at a time, off the loop, and void if the vault was locked meanwhile.
    private func attempt(
        with kind: KeyProviderKind,
        _ work: @escaping @Sendable (VaultDisk) throws -> OpenVault
    ) async throws {
        guard !isAttempting else { throw CredentialError.attemptInProgress }
        isAttempting = true
        defer { isAttempting = false }
        let before = locks
        if kind == .passphrase, throttle.delay > .zero { try await loop.sleep(for: throttle.delay) }
        let vault: OpenVault
        do {
            vault = try await pool.perform { [disk] in try work(disk) }
        } catch {
            if error as? CredentialError == .wrongKey { throttle.failed() }
            throw error
        }
        throttle.succeeded()
        guard locks == before else { throw CredentialError.locked }
        fault = nil
        header = vault.header
        let timer = kind == .passphrase ? LockTimer(disk.options.lockPolicy, now: .now()) : nil
        enter(.unlocked(vault, timer))
    }

    func enter(_ next: Phase) {
        let before = state
        phase = next
        lockTimer?.cancel()
        lockTimer = nil
        armLockTimer()
        guard state != before else { return }
        for watcher in watchers.values { watcher.yield(state) }
    }

    private func armLockTimer() {
        guard case .unlocked(_, let timer?) = phase else { return }
        lockTimer = loop.scheduleTask(deadline: timer.deadline) { [weak self] in
            self?.assumeIsolated { $0.lockIfExpired() }
        }
    }

    private func lockIfExpired() {
        guard case .unlocked(_, let timer?) = phase else { return }
        if timer.isExpired(.now()) { lock() } else { armLockTimer() }
    }
}
