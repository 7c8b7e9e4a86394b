// SPDX-License-Identifier: Apache-2.0

import Credentials
import EventLoops
import NIOCore

/// Lets one attempt at a time to log in out for each stored login, whatever sessions, trials and reports ask at once. Those
/// who wait in line get the failure of the one in flight as their own, and send nothing. On the event loop only.
final class LoginGate: Sendable {
    typealias Key = SharedSessions<ServerSession>.Key
    typealias Ticket = LoginLines<Key>.Ticket

    /// What came of an attempt.
    enum Outcome {
        case succeeded
        /// The server's answer, or that there was none: it is that of all who wait.
        case failed(any Error)
        /// It ended for a reason of its own, such as a caller who has gone: the next in line tries.
        case abandoned
    }

    private struct State {
        var lines = LoginLines<Key>()
        var waiting: [Ticket: EventLoopPromise<Void>] = [:]
        /// What servers have said no to, until they say yes or the login changes.
        var refusals: [Key: (login: Login, error: BrokerError)] = [:]
    }

    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    init(loop: any EventLoop) {
        self.loop = loop
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// How many wait in all lines.
    var waitingCount: Int { state.value.waiting.count }

    /// Why a login is not sent again: the server has refused it, as it is now.
    func refusal(of login: Login) -> BrokerError? {
        guard let known = state.value.refusals[login.sessionKey], known.login.isUsed(as: login),
            known.login.revision == login.revision
        else { return nil }
        return known.error
    }

    /// Remembers that the server has refused a login.
    func remember(_ error: BrokerError, of login: Login) { state.value.refusals[login.sessionKey] = (login, error) }

    /// Takes a place in the line of a login. It is given back by `leave`.
    func enter(_ login: Login) -> Ticket {
        let (ticket, isFirst) = state.value.lines.enter(login.sessionKey)
        if !isFirst { state.value.waiting[ticket] = loop.makePromise() }
        return ticket
    }

    /// Waits until the login may go out.
    ///
    /// - Throws: the failure of the attempt that was waited for, what `leave` was told, or `CancellationError` as soon as
    ///   the task is cancelled. The place is given back then.
    func wait(_ ticket: Ticket) async throws {
        guard let turn = state.value.waiting[ticket] else { return }
        try await withTaskCancellationHandler {
            try await turn.futureResult.get()
        } onCancel: {
            loop.execute { self.leaveWaiting(ticket, CancellationError()) }
        }
    }

    /// Leaves the line from among those who wait; what is in flight is not stopped.
    func leaveWaiting(_ ticket: Ticket, _ error: any Error) {
        guard let turn = state.value.waiting.removeValue(forKey: ticket) else { return }
        _ = state.value.lines.leave(ticket)
        turn.fail(error)
    }

    /// Ends the attempt in flight.
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

    /// Forgets a refusal, because the login is not what it was.
    func forget(_ login: LoginID) {
        state.value.refusals = state.value.refusals.filter { $0.value.login.id != login }
    }
}

extension LoginGate.Outcome {
    /// - Parameter error: nil for an attempt that the server accepted.
    init(_ error: (any Error)?) {
        switch error {
        case nil: self = .succeeded
        case BrokerError.closed?, is CancellationError?, is CredentialError?: self = .abandoned
        case let error?: self = .failed(error)
        }
    }
}
