// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The phase of the vault, and the knowledge about its file. Pure: the store supplies the time, and performs the
/// effects.
struct VaultLifecycle {
    enum Phase {
        case absent
        case sealed
        case locked
        case unlocked(OpenVault, LockTimer?)
    }

    private(set) var phase = Phase.absent
    /// The fault of the file that was last read.
    private(set) var fault: CredentialError?
    /// The number of locks until now. Work that began before a lock must not take effect after it.
    private(set) var locks: UInt64 = 0
    /// The header of the file that was last read, while the vault is closed.
    private var seenHeader: VaultHeader?
    /// Whether only the user can open the vault. It stays true while the file is missing or damaged.
    private var isHeldLocked = false

    var state: VaultState {
        switch phase {
        case .absent: .absent
        case .sealed: .sealed
        case .locked: .locked
        case .unlocked: .unlocked
        }
    }

    /// The open vault; nil while it is closed.
    var vault: OpenVault? { if case .unlocked(let vault, _) = phase { vault } else { nil } }

    /// The timer of the open vault; nil if the vault does not lock by time.
    var timer: LockTimer? { if case .unlocked(_, let timer) = phase { timer } else { nil } }

    var header: VaultHeader? { vault?.header ?? seenHeader }

    func isExpired(_ now: LockTimer.Instant) -> Bool { timer?.isExpired(now) ?? false }

    // MARK: The file

    /// Records that the file of a closed vault was read.
    ///
    /// - Parameter header: nil if there is no file.
    mutating func saw(_ header: VaultHeader?) {
        fault = nil
        seenHeader = header
        enter(header == nil ? .absent : isHeldLocked ? .locked : .sealed)
    }

    /// Records that the file of a closed vault cannot be used.
    mutating func saw(_ fault: CredentialError) {
        self.fault = fault
        seenHeader = nil
        // Without a copy there is nothing to repair.
        if case .fileMissing(_, copy: nil) = fault { return enter(.absent) }
        enter(isHeldLocked ? .locked : .sealed)
    }

    /// Records whether the file of an open vault is gone.
    mutating func sawFile(_ fault: CredentialError?) { self.fault = fault }

    /// Clears the fault, because the vault was opened.
    mutating func clearFault() { fault = nil }

    // MARK: Phases

    mutating func open(_ vault: OpenVault, _ timer: LockTimer?) { enter(.unlocked(vault, timer)) }

    /// Replaces the open vault with a later save. The time to lock stays the same.
    mutating func replace(with vault: OpenVault) {
        if case .unlocked(_, let timer) = phase { phase = .unlocked(vault, timer) }
    }

    /// Resets the idle timer.
    mutating func resetIdleTimer(_ now: LockTimer.Instant) {
        guard case .unlocked(let vault, var timer?) = phase else { return }
        timer.touch(now)
        phase = .unlocked(vault, timer)
    }

    /// Locks the vault.
    ///
    /// - Parameter isSealed: whether the vault may be opened again automatically.
    /// - Returns: the vault, if it was open.
    mutating func close(isSealed: Bool) -> OpenVault? {
        locks += 1
        if case .absent = phase { return nil }
        let closed = vault
        if let closed { seenHeader = closed.header }
        enter(isSealed ? .sealed : .locked)
        return closed
    }

    private mutating func enter(_ next: Phase) {
        phase = next
        switch next {
        case .locked: isHeldLocked = true
        case .sealed, .unlocked: isHeldLocked = false
        case .absent: break
        }
    }
}

/// The guard of attempts to open a vault: one at a time. Each wrong secret delays the next attempt by another 100 ms, up
/// to 10 s.
struct UnlockAttempts {
    /// What is opened. Each has its own delay: a caller who brings a copy may know its secret, and learns nothing about
    /// the user's vault from it.
    enum Subject {
        /// The user's vault, also to change its slots.
        case vault
        case copy
    }

    private static let step = Duration.milliseconds(100)
    private static let maximum = Duration.seconds(10)

    private(set) var isRunning = false
    private var failures: [Subject: Int] = [:]

    /// Begins an attempt. The caller must call `end` afterwards.
    ///
    /// - Throws: `CredentialError.attemptInProgress`
    mutating func begin() throws(CredentialError) {
        guard !isRunning else { throw .attemptInProgress }
        isRunning = true
    }

    mutating func end() { isRunning = false }

    /// The delay before the next attempt.
    func delay(of subject: Subject) -> Duration { min(Self.step * failures[subject, default: 0], Self.maximum) }

    mutating func succeeded(_ subject: Subject) { failures[subject] = nil }

    mutating func failed(_ subject: Subject) { failures[subject, default: 0] += 1 }
}

/// The streams that report the number of locks.
struct LockWatchers {
    private var continuations: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    private var last: UInt64 = 0

    var count: Int { continuations.count }

    /// Adds a subscriber.
    ///
    /// - Returns: its number for `leave`.
    mutating func join(_ continuation: AsyncStream<UInt64>.Continuation) -> UInt64 {
        last += 1
        continuations[last] = continuation
        return last
    }

    mutating func leave(_ watcher: UInt64) { continuations[watcher] = nil }

    func send(_ locks: UInt64) {
        for continuation in continuations.values { continuation.yield(locks) }
    }
}

/// The days on which logins were used. The next save stores them.
struct LoginUses: Sendable {
    private var days: [LoginID: UInt32] = [:]

    /// - Parameter now: seconds since 1970.
    mutating func note(_ id: LoginID, at now: UInt64) { days[id] = UInt32(clamping: now / 86_400) }

    func apply(to payload: inout VaultPayload) {
        for index in payload.entries.indices {
            guard let day = days[payload.entries[index].id] else { continue }
            payload.entries[index].lastUsedDay = max(day, payload.entries[index].lastUsedDay)
        }
    }

    /// Removes the entries that were saved, unless an entry has a later day now.
    mutating func remove(_ saved: LoginUses) {
        for (id, day) in saved.days where days[id] == day { days[id] = nil }
    }

    mutating func removeAll() { days = [:] }
}
