// SPDX-License-Identifier: Apache-2.0

/// Phase of the vault, and what is known of its file. Pure: the store supplies the time, and wipes, waits and saves.
struct VaultLifecycle {
    enum Phase {
        case absent
        case sealed
        case locked
        case unlocked(OpenVault, LockTimer?)
    }

    private(set) var phase = Phase.absent
    /// What is wrong with the file that was seen last.
    private(set) var fault: CredentialError?
    /// Counts locks, so that what began before one does not take effect after it.
    private(set) var locks: UInt64 = 0
    /// Of the file that was seen last, while the vault is closed.
    private var seenHeader: VaultHeader?
    /// Whether only a person opens the vault, also while its file is missing or damaged.
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

    /// When the open vault locks itself; nil also where it does not.
    var timer: LockTimer? { if case .unlocked(_, let timer) = phase { timer } else { nil } }

    var header: VaultHeader? { vault?.header ?? seenHeader }

    func isExpired(_ now: LockTimer.Instant) -> Bool { timer?.isExpired(now) ?? false }

    // MARK: The file

    /// The file of a closed vault was looked at.
    ///
    /// - Parameter header: nil if there is none.
    mutating func saw(_ header: VaultHeader?) {
        fault = nil
        seenHeader = header
        enter(header == nil ? .absent : isHeldLocked ? .locked : .sealed)
    }

    /// The file of a closed vault cannot be used.
    mutating func saw(_ fault: CredentialError) {
        self.fault = fault
        seenHeader = nil
        enter(isHeldLocked ? .locked : .sealed)
    }

    /// What opened the vault has shown that nothing is wrong with its file.
    mutating func clearFault() { fault = nil }

    // MARK: Phases

    mutating func open(_ vault: OpenVault, _ timer: LockTimer?) { enter(.unlocked(vault, timer)) }

    /// Takes another state of the open vault, which locks when the one before it would have.
    mutating func replace(with vault: OpenVault) {
        if case .unlocked(_, let timer) = phase { phase = .unlocked(vault, timer) }
    }

    /// The idle time starts anew.
    mutating func resetIdleTimer(_ now: LockTimer.Instant) {
        guard case .unlocked(let vault, var timer?) = phase else { return }
        timer.touch(now)
        phase = .unlocked(vault, timer)
    }

    /// Locks the vault.
    ///
    /// - Parameter isSealed: it may open by itself again.
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

/// Guard of attempts to open a vault: one at a time, and later after each wrong secret.
struct UnlockAttempts {
    private(set) var isRunning = false
    /// For what opens our vault, and changes what opens it.
    private(set) var throttle = UnlockThrottle()
    /// For what opens copies. Whoever brings a copy of their own knows what opens it, which says nothing about ours.
    private(set) var copyThrottle = UnlockThrottle()

    /// - Throws: `CredentialError.attemptInProgress`; else `end` must follow.
    mutating func begin() throws(CredentialError) {
        guard !isRunning else { throw .attemptInProgress }
        isRunning = true
    }

    mutating func end() { isRunning = false }

    func delay(ofCopy: Bool) -> Duration { ofCopy ? copyThrottle.delay : throttle.delay }

    mutating func succeeded(ofCopy: Bool) {
        if ofCopy { copyThrottle.succeeded() } else { throttle.succeeded() }
    }

    mutating func failed(ofCopy: Bool) {
        if ofCopy { copyThrottle.failed() } else { throttle.failed() }
    }
}

/// Streams of how often the vault was locked.
struct LockWatchers {
    private var continuations: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    private var last: UInt64 = 0

    var count: Int { continuations.count }

    /// - Returns: a number to leave by.
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

/// Days on which logins were used, which the next save takes along.
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

    /// Forgets what was saved, unless it is a later day by now.
    mutating func remove(_ saved: LoginUses) {
        for (id, day) in saved.days where days[id] == day { days[id] = nil }
    }

    mutating func removeAll() { days = [:] }
}
