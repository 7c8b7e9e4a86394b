// SPDX-License-Identifier: Apache-2.0

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
    }

    private enum Phase: Equatable {
        case idle
        case loggingIn(since: NIODeadline)
        case open
        case refused(BrokerError)
        case blocked(until: NIODeadline)
        case closed
    }

    /// A peer on plain HTTP can ask for the password at will by answering SessionNotFound (docs/threat-model.md).
    static let reloginWindow = TimeAmount.minutes(10)
    private let maximumRelogins: Int?

    private var phase = Phase.idle
    private(set) var generation = 0
    private var hasSentPassword = false
    /// When the password went out again within the last window.
    private var relogins: [NIODeadline] = []

    /// - Parameter maximumRelogins: how often the password goes out again within ten minutes after the first time; nil
    ///   where the peer has proved who it is.
    init(maximumRelogins: Int?) {
        self.maximumRelogins = maximumRelogins
    }

    var isOpen: Bool { phase == .open }

    var isClosed: Bool { phase == .closed }

    /// Whether forgetting this session would let the password go out once more than it may.
    func holdsBackPassword(at now: NIODeadline) -> Bool {
        switch phase {
        case .refused: true
        case .blocked(let until): now < until
        case .idle: maximumRelogins != nil && hasSentPassword
        case .loggingIn, .open, .closed: false
        }
    }

    /// A caller wants to send a call.
    mutating func wanted(at now: NIODeadline) -> Step {
        switch phase {
        case .idle, .blocked: beginLogin(at: now)
        case .loggingIn: .wait
        case .open: .use(generation)
        case .refused(let error): .fail(error)
        case .closed: .fail(.closed)
        }
    }

    /// The server answered SessionNotFound to a call in the session of `lost`.
    mutating func lost(_ lost: Generation, at now: NIODeadline) -> Step {
        guard phase == .open, lost == generation else { return wanted(at: now) }
        return beginLogin(at: now)
    }

    /// The server is not any more where the session of `moved` was opened: a session is never taken to another address.
    mutating func moved(_ moved: Generation) {
        guard phase == .open, moved == generation else { return }
        phase = .idle
    }

    mutating func loginEnded(_ outcome: LoginOutcome) {
        guard case .loggingIn(let since) = phase else { return }
        if outcome != .notSent {
            if hasSentPassword, maximumRelogins != nil { relogins.append(since) }
            hasSentPassword = true
        }
        switch outcome {
        case .succeeded:
            generation += 1
            phase = .open
        case .refused(let error): phase = .refused(error)
        case .failed, .notSent: phase = .idle
        }
    }

    /// Ends what a refusal or too many logins have led to.
    mutating func resume() {
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
        relogins.removeAll { $0 + Self.reloginWindow <= now }
        if let maximumRelogins, relogins.count >= maximumRelogins, let first = relogins.first {
            phase = .blocked(until: first + Self.reloginWindow)
            return .fail(.reloginBlocked)
        }
        phase = .loggingIn(since: now)
        return .logIn
    }
}
