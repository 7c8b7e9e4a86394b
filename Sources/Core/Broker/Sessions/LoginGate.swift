// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
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

/// FIFO queues of callers that want to send a login, one queue for each login. The login of the first caller in a
/// queue is in progress.
struct LoginLines<Key: Hashable & Sendable> {
    /// A position in a queue.
    struct Ticket: Hashable, Sendable {
        let key: Key
        fileprivate let number: Int
    }

    private var lines: [Key: [Ticket]] = [:]
    private var last = 0

    /// Whether all queues are empty.
    var isEmpty: Bool { lines.isEmpty }

    /// - Returns: the ticket, and whether it is the first in the queue. If so, the login may be sent now.
    mutating func enter(_ key: Key) -> (ticket: Ticket, isFirst: Bool) {
        last += 1
        let ticket = Ticket(key: key, number: last)
        lines[key, default: []].append(ticket)
        return (ticket, lines[key]?.count == 1)
    }

    /// Removes a ticket from the front of its queue or from the waiting ones. Does nothing if the ticket has left
    /// already.
    ///
    /// - Returns: the new first ticket, if the first has changed.
    mutating func leave(_ ticket: Ticket) -> Ticket? {
        guard var line = lines[ticket.key], let place = line.firstIndex(of: ticket) else { return nil }
        line.remove(at: place)
        lines[ticket.key] = line.isEmpty ? nil : line
        return place == 0 ? line.first : nil
    }

    /// Removes the queue, because all callers in it get the result of the first.
    ///
    /// - Returns: the tickets that waited after this one; none unless this one is the first.
    mutating func disperse(_ first: Ticket) -> [Ticket] {
        guard let line = lines[first.key], line.first == first else { return [] }
        lines[first.key] = nil
        return Array(line.dropFirst())
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
