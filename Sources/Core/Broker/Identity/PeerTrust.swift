// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOPosix
import Platform
import Remoting

/// Decides whether a password may be sent to the process at the other end of a connection within this machine.
struct PeerTrust: Sendable, Hashable {
    enum Verdict: Hashable {
        case trusted
        /// The owner may be known in a moment.
        case retry
        /// Another user of this machine.
        case untrusted
        /// The kernel does not report whose process it is.
        case unknown
        /// No process has accepted the connection.
        case unaccepted
    }

    let user: UInt32
    /// The user as which the kernel shows every user outside of this process's user namespace.
    let overflowUser: UInt32
    /// Whether root is shown as root, because no user is hidden.
    let isInitialNamespace: Bool

    /// The values for this process, whose namespace never changes.
    static let current = PeerTrust(
        user: geteuid(),
        overflowUser: TextFile.read("/proc/sys/kernel/overflowuid", maximumBytes: 64)
            .flatMap { UInt32($0.filter(\.isNumber)) } ?? 65_534,
        map: TextFile.read("/proc/self/uid_map", maximumBytes: 64 << 10) ?? ""
    )

    init(user: UInt32, overflowUser: UInt32 = 65_534, isInitialNamespace: Bool) {
        self.user = user
        self.overflowUser = overflowUser
        self.isInitialNamespace = isInitialNamespace
    }

    /// - Parameter map: the text of `/proc/self/uid_map`. The initial namespace maps every user to itself.
    init(user: UInt32, overflowUser: UInt32, map: String) {
        self.init(
            user: user,
            overflowUser: overflowUser,
            isInitialNamespace: map.split(whereSeparator: { $0.isWhitespace }) == ["0", "0", "4294967295"]
        )
    }

    /// - Parameter isLast: whether this is the last attempt.
    func verdict(on owner: SocketOwner, isLast: Bool) -> Verdict {
        switch owner {
        case .user(overflowUser) where !isInitialNamespace: .unknown
        case .user(user): .trusted
        case .user(0) where isInitialNamespace: .trusted
        case .user: .untrusted
        case .unaccepted: isLast ? .unaccepted : .retry
        case .none where !isLast: .retry
        case .none, .unavailable: .unknown
        }
    }
}

/// Asks the kernel which user has the other end of a new connection within this machine, until the owner is known. A
/// server that is busy or paused accepts a connection late, so this may take until the deadline of the call.
///
/// The check follows the connection, because any user can listen on the port before it, and another user after it.
struct PeerOwnerCheck: Sendable {
    /// The time in which the kernel reports the owner of a connection.
    private static let timeout = TimeAmount.seconds(1)
    /// The check fails with its reason before the call fails at its deadline, without one.
    private static let margin = TimeAmount.milliseconds(250)
    private static let shortestPause = TimeAmount.microseconds(250)
    private static let longestPause = TimeAmount.milliseconds(20)
    /// The interval between reads of the tables of the whole machine, which take longer than one query.
    private static let pauseOfTables = TimeAmount.milliseconds(100)

    let trust: PeerTrust
    /// Decides about an unknown owner.
    let rule: PlaintextRule
    let loop: any EventLoop
    let pool: NIOThreadPool
    /// Whether the user permits an unknown owner. Called on the loop.
    let acceptsUnknown: @Sendable () -> Bool

    /// Succeeds if data may be sent over the connection.
    ///
    /// - Parameter deadline: of the call.
    ///
    /// Fails with `BrokerError.identityConflict`, `ownerUnknown` or `unreachable`; `RemotingError.unreachable` if the
    /// connection is closed meanwhile.
    func check(_ connection: any Channel, before deadline: NIODeadline) -> EventLoopFuture<Void> {
        let port = UInt16(truncatingIfNeeded: connection.remoteAddress?.port ?? 0)
        guard let local = connection.localAddress, let remote = connection.remoteAddress,
            let end = TCPConnection(from: remote, to: local)
        else {
            return loop.makeFailedFuture(BrokerError.ownerUnknown(port: port))
        }
        let question = Question(
            connection: connection,
            end: end,
            port: port,
            reported: .now() + Self.timeout,
            accepted: deadline - Self.margin,
            done: loop.makePromise()
        )
        ask(question, nextPause: Self.shortestPause)
        return question.done.futureResult
    }

    private struct Question {
        let connection: any Channel
        let end: TCPConnection
        let port: UInt16
        /// When the last attempt is made to find an owner.
        let reported: NIODeadline
        /// When the last attempt is made while no process has accepted the connection.
        let accepted: NIODeadline
        let done: EventLoopPromise<Void>
    }

    private func ask(_ question: Question, nextPause: TimeAmount) {
        let owner = question.end.owner
        guard owner == .unavailable else { return judge(owner, question, nextPause: nextPause) }
        pool.runIfActive(eventLoop: loop) { question.end.tabledOwner }.whenComplete { owner in
            judge((try? owner.get()) ?? .unavailable, question, nextPause: Self.pauseOfTables)
        }
    }

    private func judge(_ owner: SocketOwner, _ question: Question, nextPause: TimeAmount) {
        let isLast = NIODeadline.now() >= (owner == .unaccepted ? question.accepted : question.reported)
        let port = question.port
        switch trust.verdict(on: owner, isLast: isLast) {
        case .trusted: question.done.succeed()
        case .retry:
            guard question.connection.isActive else { return question.done.fail(RemotingError.unreachable(.closed)) }
            loop.scheduleTask(in: nextPause) {
                ask(question, nextPause: min(nextPause * 2, Self.longestPause))
            }.futureResult.cascadeFailure(to: question.done)
        case .untrusted:
            var user: String?
            if case .user(let found) = owner { user = "user \(found)" }
            let reason = StateReason(code: .otherUser, port: Int64(port), detail: user)
            question.done.fail(BrokerError.identityConflict(reason))
        case .unknown:
            if let refusal = rule.refusal(knowing: [.unknownOwner(port: port, isAccepted: acceptsUnknown())]) {
                question.done.fail(BrokerError(refusal))
            } else {
                question.done.succeed()
            }
        case .unaccepted:
            question.done.fail(BrokerError.unreachable(StateReason(code: .noListener, port: Int64(port))))
        }
    }
}

extension TCPConnection {
    /// - Returns: nil for addresses that are not TCP addresses.
    init?(from there: SocketAddress, to here: SocketAddress) {
        guard let from = there.ipAddress.flatMap({ IPAddress($0) }), let port = there.port,
            let to = here.ipAddress.flatMap({ IPAddress($0) }), let otherPort = here.port
        else { return nil }
        self.init(
            from: (from.mappedIPv4 ?? from).bytes,
            port: UInt16(truncatingIfNeeded: port),
            to: (to.mappedIPv4 ?? to).bytes,
            port: UInt16(truncatingIfNeeded: otherPort)
        )
    }
}
