// SPDX-License-Identifier: Apache-2.0

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
