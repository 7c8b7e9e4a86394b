// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore

/// Permits one login attempt at a time for each stored login, across all sessions, trials and reports. If the attempt
/// in progress fails, the waiting callers fail with the same error and send nothing. On the event loop only.
final class LoginGate: Sendable {
    typealias Key = SharedSessions<ServerSession>.Key
    typealias Ticket = Turnstile<Key>.Ticket

    /// The result of an attempt.
    enum Outcome {
        case succeeded
        /// The server refused the login or did not answer. All waiting callers fail with the same error.
        case failed(any Error)
        /// The attempt ended for another reason, for example because its caller disconnected. The next waiting caller
        /// tries.
        case abandoned
    }

    private let turns: Turnstile<Key>
    /// Logins that servers have refused, until the server accepts the login or the login changes.
    private let refusals: NIOLoopBoundBox<[Key: (login: Login, error: BrokerError)]>

    init(loop: any EventLoop) {
        turns = Turnstile(on: loop)
        refusals = .makeBoxSendingValue([:], eventLoop: loop)
    }

    /// Number of waiting callers of all logins.
    var waitingCount: Int { turns.waitingCount }

    /// The error with which the server has refused the login in its current revision. If there is one, the login is
    /// not sent again.
    func refusal(of login: Login) -> BrokerError? {
        guard let known = refusals.value[login.sessionKey], known.login.isUsed(as: login),
            known.login.revision == login.revision
        else { return nil }
        return known.error
    }

    /// Remembers that the server has refused a login.
    func remember(_ error: BrokerError, of login: Login) { refusals.value[login.sessionKey] = (login, error) }

    /// Joins the queue of a login. If `wait` then returns, call `leave` once.
    func enter(_ login: Login) -> Ticket { turns.enter(login.sessionKey) }

    /// Waits until the login may be sent.
    ///
    /// - Throws: the failure of the attempt in progress, the error passed to `leaveWaiting`, or `CancellationError`
    ///   as soon as the task is cancelled. The ticket has then left the queue.
    func wait(_ ticket: Ticket) async throws { try await turns.wait(ticket) }

    /// Removes a waiting ticket from the queue. An attempt in progress is not stopped.
    func leaveWaiting(_ ticket: Ticket, _ error: any Error) { turns.withdraw(ticket, error) }

    /// Ends the attempt in progress.
    func leave(_ ticket: Ticket, _ outcome: Outcome) {
        switch outcome {
        case .failed(let error): turns.disperse(ticket, error)
        case .succeeded:
            refusals.value[ticket.line] = nil
            turns.leave(ticket)
        case .abandoned: turns.leave(ticket)
        }
    }

    /// Removes a refusal, because the login has changed.
    func forget(_ login: LoginID) {
        refusals.value = refusals.value.filter { $0.value.login.id != login }
    }
}

extension LoginGate.Outcome {
    /// - Parameter error: nil if the server accepted the login.
    init(_ error: (any Error)?) {
        switch error {
        case nil: self = .succeeded
        case BrokerError.closed?, BrokerError.noPassword?, is CancellationError?, is CredentialError?: self = .abandoned
        case let error?: self = .failed(error)
        }
    }
}

/// Limits how often the password may be sent to one endpoint again, because a server can request it at will by
/// answering SessionNotFound (docs/threat-model.md).
struct ReloginLimit: Hashable {
    let count: Int
    let window: TimeAmount
    /// Whether the peer proves nothing: the password is sent to any host that answers at the pinned address.
    let isOnTrust: Bool

    /// For a peer on plain HTTP, which proves nothing.
    static let onTrust = ReloginLimit(count: 3, window: .minutes(10), isOnTrust: true)
    /// For a peer that has proved its identity, or is on this machine. Sufficient for a server with very short
    /// sessions.
    static let proved = ReloginLimit(count: 30, window: .minutes(1), isOnTrust: false)

    /// The earlier logins that still count.
    func current(_ logins: [NIODeadline], at now: NIODeadline) -> [NIODeadline] {
        logins.filter { $0 + window > now }
    }

    /// The time of the next permitted login; nil if a login is permitted now.
    func blocked(after logins: [NIODeadline], at now: NIODeadline) -> NIODeadline? {
        let counted = current(logins, at: now)
        guard counted.count >= count else { return nil }
        return counted[counted.count - count] + window
    }
}

/// The times when passwords were sent again, by endpoint; they outlive the sessions. A login is recorded before its
/// password is sent, so that simultaneous sessions share one limit. On the event loop only.
final class ReloginHistory: Sendable {
    private let logins: NIOLoopBoundBox<[EndpointID: [NIODeadline]]>

    init(loop: any EventLoop) {
        logins = .makeBoxSendingValue([:], eventLoop: loop)
    }

    subscript(endpoint: EndpointID) -> [NIODeadline] {
        get { logins.value[endpoint] ?? [] }
        set { logins.value[endpoint] = newValue.isEmpty ? nil : newValue }
    }
}
