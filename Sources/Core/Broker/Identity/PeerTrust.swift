// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOPosix
import Platform

/// Decides whether a password may go to the process at the other end of a connection within this machine.
struct PeerTrust: Sendable, Hashable {
    enum Verdict: Hashable {
        case trusted
        /// The owner may be known in a moment.
        case askAgain
        /// Another user of this machine.
        case stranger
        /// The kernel does not report whose process it is.
        case unknown
        /// No process has accepted the connection.
        case unaccepted
    }

    let user: UInt32
    /// Every user outside of our user namespace is shown as this one.
    let overflowUser: UInt32
    /// No user is hidden: root is shown as root.
    let isInitialNamespace: Bool

    /// For this process, whose namespace never changes.
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

    /// - Parameter isLast: the owner will not be asked for again.
    func verdict(on owner: SocketOwner, isLast: Bool) -> Verdict {
        switch owner {
        case .user(overflowUser) where !isInitialNamespace: .unknown
        case .user(user): .trusted
        case .user(0) where isInitialNamespace: .trusted
        case .user: .stranger
        case .unaccepted: isLast ? .unaccepted : .askAgain
        case .none where !isLast: .askAgain
        case .none, .unavailable: .unknown
        }
    }
}

/// Asks the kernel who has the other end of a new connection within this machine, until it tells or a second has passed.
///
/// It is asked after connecting: any user can listen on the port before, and another one after.
struct PeerOwnerCheck: Sendable {
    /// A server accepts a connection within this time, or it does not work.
    private static let patience = TimeAmount.seconds(1)
    private static let shortestPause = TimeAmount.microseconds(250)
    private static let longestPause = TimeAmount.milliseconds(20)
    /// The tables of the whole machine are longer than one answer.
    private static let pauseOfTables = TimeAmount.milliseconds(100)

    let trust: PeerTrust
    /// Decides about an owner that is not known.
    let rule: PlaintextRule
    let loop: any EventLoop
    let pool: NIOThreadPool
    /// Whether the user permits an owner that is not known; asked on the loop.
    let acceptsUnknown: @Sendable () -> Bool

    /// Succeeds if the first byte may go out.
    ///
    /// Fails with `BrokerError.identityConflict`, `ownerUnknown` or `unreachable`.
    func check(from local: SocketAddress, to remote: SocketAddress) -> EventLoopFuture<Void> {
        let port = UInt16(truncatingIfNeeded: remote.port ?? 0)
        guard let end = TCPConnection(from: remote, to: local) else {
            return loop.makeFailedFuture(BrokerError.ownerUnknown(port: port))
        }
        let question = Question(end: end, port: port, deadline: .now() + Self.patience, done: loop.makePromise())
        ask(question, nextPause: Self.shortestPause)
        return question.done.futureResult
    }

    private struct Question {
        let end: TCPConnection
        let port: UInt16
        let deadline: NIODeadline
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
        let isLast = NIODeadline.now() >= question.deadline
        let port = question.port
        switch trust.verdict(on: owner, isLast: isLast) {
        case .trusted: question.done.succeed()
        case .askAgain:
            loop.scheduleTask(in: nextPause) {
                ask(question, nextPause: min(nextPause * 2, Self.longestPause))
            }.futureResult.cascadeFailure(to: question.done)
        case .stranger:
            question.done.fail(BrokerError.identityConflict(StateReason(.otherUser, port: port)))
        case .unknown:
            if let refusal = rule.refusal(knowing: [.unknownOwner(port: port, isAccepted: acceptsUnknown())]) {
                question.done.fail(BrokerError(refusal))
            } else {
                question.done.succeed()
            }
        case .unaccepted:
            question.done.fail(BrokerError.unreachable(StateReason(.noListener, port: port)))
        }
    }
}

extension TCPConnection {
    /// - Returns: nil for addresses that are not of TCP.
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
