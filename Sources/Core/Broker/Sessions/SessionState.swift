// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// Decides when a session logs in: one login at a time however many callers wait, one new login per lost session, and
/// none after a refusal. Pure; `ServerSession` performs.
struct SessionState {
    /// Counts logins, so that of several calls that find the same session lost only the first logs in again.
    typealias Generation = Int

    enum Step: Equatable {
        /// Send the call in the session of this generation.
        case use(Generation)
        /// Log in, and say what came of it by `loginEnded`.
        case logIn
        /// Another caller is logging in: its outcome is this caller's too.
        case wait
        case fail(BrokerError)
    }

    enum LoginOutcome: Equatable {
        case succeeded
        /// The server said no: final until the user acts.
        case refused(BrokerError)
        /// The password went out, or may have, and nothing sensible came back. The next caller may try again.
        case failed
        /// It ended before the password went out. The next caller may try again.
        case notSent
        /// The server has refused the same login to somebody else meanwhile, so it was not sent: final too.
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

    /// A session that nobody has used for so long is replaced before its next use: servers end idle sessions after a time
    /// that nothing tells, some with errors of their own.
    static let freshness = TimeAmount.minutes(10)

    private let limit: ReloginLimit
    private let isRenewed: Bool
    private var phase = Phase.idle
    private(set) var generation = 0
    private var hasSentPassword = false
    /// The login under way takes the place of a session that the server may still have.
    private(set) var isReplacing = false
    private var outage = Outage()
    /// When the password went out again, to this endpoint, within the limit's window; logins under way are counted before
    /// it does.
    private(set) var relogins: [NIODeadline] = []
    /// What counts the login under way among these; nil if it does not count.
    private var reserved: NIODeadline?

    /// - Parameter isRenewed: whether a session that was idle for long is replaced; one without a login needs not be.
    init(_ limit: ReloginLimit, isRenewed: Bool = true) {
        self.limit = limit
        self.isRenewed = isRenewed
    }

    var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    var isClosed: Bool { phase == .closed }

    /// Whether forgetting this session would let the password go out once more than it may.
    func holdsBackPassword(at now: NIODeadline) -> Bool {
        switch phase {
        case .refused: true
        case .blocked(let until): now < until
        case .idle: limit.isOnTrust && hasSentPassword
        case .loggingIn, .open, .closed: false
        }
    }

    /// Takes what other sessions with the same endpoint have added.
    mutating func learn(relogins: [NIODeadline]) {
        self.relogins = relogins
    }

    /// A caller wants to send a call.
    mutating func wanted(at now: NIODeadline) -> Step {
        switch phase {
        case .idle, .blocked: return beginLogin(at: now)
        case .loggingIn: return .wait
        case .open(let used):
            if let refusal = outage.refusal(at: now) { return .fail(refusal) }
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

    /// The server answered SessionNotFound to a call in the session of `lost`.
    mutating func lost(_ lost: Generation, at now: NIODeadline) -> Step {
        guard isOpen, lost == generation else { return wanted(at: now) }
        return beginLogin(at: now)
    }

    /// The server is not any more where the session of `moved` was opened: a session is never taken to another address.
    mutating func moved(_ moved: Generation) {
        guard isOpen, moved == generation else { return }
        phase = .idle
    }

    mutating func loginEnded(_ outcome: LoginOutcome, at now: NIODeadline) {
        // What was counted and not sent does not count, also if the session was closed meanwhile.
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

    /// No connection to the server could be made.
    mutating func unreachable(
        _ reason: StateReason,
        at now: NIODeadline,
        using random: inout some RandomNumberGenerator
    ) {
        outage.failed(reason, at: now, using: &random)
    }

    /// The server answered.
    mutating func reached() {
        outage.ended()
    }

    /// Ends what a refusal, too many logins or an outage have led to.
    mutating func resume() {
        outage.ended()
        switch phase {
        case .refused, .blocked:
            relogins = []
            phase = .idle
        case .idle, .loggingIn, .open, .closed: break
        }
    }

    /// Ends the session for good; calls that come later fail.
    mutating func close() {
        phase = .closed
    }

    private mutating func beginLogin(at now: NIODeadline) -> Step {
        if let end = limit.blocked(after: relogins, at: now) {
            phase = .blocked(until: end)
            return .fail(.reloginBlocked)
        }
        if let refusal = outage.refusal(at: now) {
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
