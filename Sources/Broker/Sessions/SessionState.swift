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
        /// Another caller is logging in: ask again when that has ended.
        case wait
        case fail(BrokerError)
    }

    enum LoginOutcome: Equatable {
        case succeeded
        /// The server said no: final until the user acts.
        case refused(BrokerError)
        /// It could not be tried: the next caller may.
        case failed
    }

    private enum Phase: Equatable {
        case idle
        case loggingIn
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
    private var relogins: [NIODeadline] = []

    /// - Parameter maximumRelogins: new logins within ten minutes after lost sessions; nil where the peer has proved
    ///   who it is.
    init(maximumRelogins: Int?) {
        self.maximumRelogins = maximumRelogins
    }

    var isOpen: Bool { phase == .open }

    var isRefused: Bool {
        if case .refused = phase { return true }
        return false
    }

    /// A caller wants to send a call.
    mutating func wanted(at now: NIODeadline) -> Step {
        switch phase {
        case .idle:
            phase = .loggingIn
            return .logIn
        case .blocked(let until):
            guard now >= until else { return .fail(.reloginBlocked) }
            phase = .loggingIn
            return .logIn
        case .loggingIn: return .wait
        case .open: return .use(generation)
        case .refused(let error): return .fail(error)
        case .closed: return .fail(.closed)
        }
    }

    /// The server answered SessionNotFound to a call in the session of `lost`.
    mutating func lost(_ lost: Generation, at now: NIODeadline) -> Step {
        guard phase == .open, lost == generation else { return wanted(at: now) }
        relogins.removeAll { $0 + Self.reloginWindow <= now }
        if let maximumRelogins, relogins.count >= maximumRelogins {
            phase = .blocked(until: (relogins.first ?? now) + Self.reloginWindow)
            return .fail(.reloginBlocked)
        }
        relogins.append(now)
        phase = .loggingIn
        return .logIn
    }

    mutating func loginEnded(_ outcome: LoginOutcome) {
        guard phase == .loggingIn else { return }
        switch outcome {
        case .succeeded:
            generation += 1
            phase = .open
        case .refused(let error): phase = .refused(error)
        case .failed: phase = .idle
        }
    }

    /// Ends the session for good; calls that come later fail.
    mutating func close() {
        phase = .closed
    }
}
