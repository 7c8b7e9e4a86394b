// SPDX-License-Identifier: Apache-2.0

import Credentials
import EventLoops
import NIOCore

/// Permits one login attempt at a time for each stored login, across all sessions, trials and reports. If the attempt
/// in progress fails, the waiting callers fail with the same error and send nothing. On the event loop only.
final class LoginGate: Sendable {
    typealias Key = SharedSessions<ServerSession>.Key
    typealias Ticket = LoginLines<Key>.Ticket

    /// The result of an attempt.
    enum Outcome {
        case succeeded
        /// The server refused the login or did not answer. All waiting callers fail with the same error.
        case failed(any Error)
        /// The attempt ended for another reason, for example because its caller disconnected. The next waiting caller
        /// tries.
        case abandoned
    }

    private struct State {
        var lines = LoginLines<Key>()
        var waiting: [Ticket: EventLoopPromise<Void>] = [:]
        /// Logins that servers have refused, until the server accepts the login or the login changes.
        var refusals: [Key: (login: Login, error: BrokerError)] = [:]
    }

    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    init(loop: any EventLoop) {
        self.loop = loop
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Number of waiting callers of all logins.
    var waitingCount: Int { state.value.waiting.count }

    /// The error with which the server has refused the login in its current revision. If there is one, the login is
    /// not sent again.
    func refusal(of login: Login) -> BrokerError? {
        guard let known = state.value.refusals[login.sessionKey], known.login.isUsed(as: login),
            known.login.revision == login.revision
        else { return nil }
        return known.error
    }

    /// Remembers that the server has refused a login.
    func remember(_ error: BrokerError, of login: Login) { state.value.refusals[login.sessionKey] = (login, error) }

    /// Joins the queue of a login. Call `leave` once afterwards.
    func enter(_ login: Login) -> Ticket {
        let (ticket, isFirst) = state.value.lines.enter(login.sessionKey)
        if !isFirst { state.value.waiting[ticket] = loop.makePromise() }
        return ticket
    }

    /// Waits until the login may be sent.
    ///
    /// - Throws: the failure of the attempt in progress, the error passed to `leaveWaiting`, or `CancellationError`
    ///   as soon as the task is cancelled. The ticket has then left the queue.
    func wait(_ ticket: Ticket) async throws {
        guard let turn = state.value.waiting[ticket] else { return }
        try await withTaskCancellationHandler {
            try await turn.futureResult.get()
        } onCancel: {
            loop.execute { self.leaveWaiting(ticket, CancellationError()) }
        }
    }

    /// Removes a waiting ticket from the queue. An attempt in progress is not stopped.
    func leaveWaiting(_ ticket: Ticket, _ error: any Error) {
        guard let turn = state.value.waiting.removeValue(forKey: ticket) else { return }
        _ = state.value.lines.leave(ticket)
        turn.fail(error)
    }

    /// Ends the attempt in progress.
    func leave(_ ticket: Ticket, _ outcome: Outcome) {
        switch outcome {
        case .failed(let error):
            let others = state.value.lines.disperse(ticket)
            for other in others { state.value.waiting.removeValue(forKey: other)?.fail(error) }
        case .succeeded, .abandoned:
            if case .succeeded = outcome { state.value.refusals[ticket.key] = nil }
            guard let next = state.value.lines.leave(ticket) else { return }
            state.value.waiting.removeValue(forKey: next)?.succeed()
        }
    }

    /// Removes a refusal, because the login has changed.
    func forget(_ login: LoginID) {
        state.value.refusals = state.value.refusals.filter { $0.value.login.id != login }
    }
}

extension LoginGate.Outcome {
    /// - Parameter error: nil if the server accepted the login.
    init(_ error: (any Error)?) {
        switch error {
        case nil: self = .succeeded
        case BrokerError.closed?, is CancellationError?, is CredentialError?: self = .abandoned
        case let error?: self = .failed(error)
        }
    }
}
