// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// Decides when a session logs in: one login at a time for any number of waiting callers, one new login per lost
/// session, and none after a refusal. Pure; `ServerSession` performs the steps.
struct SessionState {
    /// The number of logins so far. If several calls find the same session lost, only the first of them logs in again.
    typealias Generation = Int

    enum Step: Equatable {
        /// Send the call in the session of this generation.
        case use(Generation)
        /// Log in, and report the outcome to `loginEnded`.
        case logIn
        /// Wait for the login of another caller. Its outcome is valid for this caller too.
        case wait
        case fail(BrokerError)
    }

    enum LoginOutcome: Equatable {
        case succeeded
        /// The server refused the login. Final until the user acts.
        case refused(BrokerError)
        /// The password was sent, or may have been, and there was no valid reply. The next caller may try again.
        case failed
        /// The login ended before the password was sent. The next caller may try again.
        case notSent
        /// The server has refused the same login in another session meanwhile, so it was not sent. Final too.
        case spared(BrokerError)

        fileprivate var isSent: Bool {
            switch self {
            case .succeeded, .refused, .failed: true
            case .notSent, .spared: false
            }
        }
    }

    private enum Phase: Equatable {
        case idle
        case loggingIn
        case open(used: NIODeadline)
        case refused(BrokerError)
        case blocked(until: NIODeadline)
        case closed
    }

    /// A session that was idle for this long is replaced before its next use. Servers end idle sessions after an
    /// unknown time, some of them with errors of their own.
    static let freshness = TimeAmount.minutes(10)

    private let limit: ReloginLimit
    private let isRenewed: Bool
    private var phase = Phase.idle
    private(set) var generation = 0
    private var hasSentPassword = false
    /// Whether the login in progress replaces a session that the server may still have.
    private(set) var isReplacing = false
    private var breaker = CircuitBreaker()
    /// The times when the password was sent to this endpoint again, within the limit's window. A login in progress is
    /// counted before its password is sent.
    private(set) var relogins: [NIODeadline] = []
    /// The time in `relogins` that counts the login in progress; nil if it is not counted.
    private var reserved: NIODeadline?

    /// - Parameter isRenewed: whether a session that was idle for long is replaced. A session without a login need not
    ///   be.
    init(_ limit: ReloginLimit, isRenewed: Bool = true) {
        self.limit = limit
        self.isRenewed = isRenewed
    }

    var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    var isClosed: Bool { phase == .closed }

    /// Whether a session that replaces this one could send the password although this session may not send it.
    func withholdsPassword(at now: NIODeadline) -> Bool {
        switch phase {
        case .refused: true
        case .blocked(let until): now < until
        case .idle: limit.isOnTrust && hasSentPassword
        case .loggingIn, .open, .closed: false
        }
    }

    /// Takes over the times that other sessions of the same endpoint have added.
    mutating func learn(relogins: [NIODeadline]) {
        self.relogins = relogins
    }

    /// Returns the step for a caller that wants to use the session.
    ///
    /// - Parameter isSending: whether the caller sends a call as soon as there is a session.
    mutating func wanted(at now: NIODeadline, isSending: Bool = true) -> Step {
        switch phase {
        case .idle, .blocked: return beginLogin(at: now)
        case .loggingIn: return .wait
        case .open(let used):
            if let refusal = isSending ? breaker.refusal(at: now) : breaker.state(at: now) { return .fail(refusal) }
            if isRenewed, now > used + Self.freshness, limit.blocked(after: relogins, at: now) == nil {
                isReplacing = true
                return reserveLogin(at: now)
            }
            phase = .open(used: now)
            return .use(generation)
        case .refused(let error): return .fail(error)
        case .closed: return .fail(.closed)
        }
    }

    /// Returns the step after the server answered SessionNotFound to a call in the session of `lost`.
    mutating func lost(_ lost: Generation, at now: NIODeadline) -> Step {
        guard isOpen, lost == generation else { return wanted(at: now) }
        return beginLogin(at: now)
    }

    /// Forgets the session of `moved`, because the server no longer has the address where it was opened. A session is
    /// never used at another address.
    mutating func moved(_ moved: Generation) {
        guard isOpen, moved == generation else { return }
        phase = .idle
    }

    mutating func loginEnded(_ outcome: LoginOutcome, at now: NIODeadline) {
        // A login that was counted but not sent does not count, even if the session was closed meanwhile.
        if !outcome.isSent, let reserved, let index = relogins.lastIndex(of: reserved) { relogins.remove(at: index) }
        reserved = nil
        guard case .loggingIn = phase else { return }
        isReplacing = false
        if outcome.isSent { hasSentPassword = true }
        switch outcome {
        case .succeeded:
            generation += 1
            phase = .open(used: now)
        case .refused(let error), .spared(let error): phase = .refused(error)
        case .failed, .notSent: phase = .idle
        }
    }

    /// Records that no connection to the server could be made.
    mutating func unreachable(
        _ reason: StateReason,
        at now: NIODeadline,
        using random: inout some RandomNumberGenerator
    ) {
        breaker.failed(reason, at: now, using: &random)
    }

    /// Records that the server answered.
    mutating func reached() {
        breaker.ended()
    }

    /// Permits logins again after a refusal, too many logins or an outage.
    mutating func resume() {
        breaker.ended()
        switch phase {
        case .refused, .blocked:
            relogins = []
            phase = .idle
        case .idle, .loggingIn, .open, .closed: break
        }
    }

    /// Ends the session permanently. Later calls fail.
    mutating func close() {
        phase = .closed
    }

    private mutating func beginLogin(at now: NIODeadline) -> Step {
        if let end = limit.blocked(after: relogins, at: now) {
            phase = .blocked(until: end)
            return .fail(.reloginBlocked)
        }
        if let refusal = breaker.refusal(at: now) {
            // A lost session stays lost.
            phase = .idle
            return .fail(refusal)
        }
        return reserveLogin(at: now)
    }

    private mutating func reserveLogin(at now: NIODeadline) -> Step {
        if hasSentPassword {
            relogins = limit.current(relogins, at: now) + [now]
            reserved = now
        }
        phase = .loggingIn
        return .logIn
    }
}
