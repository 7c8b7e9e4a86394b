// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Locks
internal import Platform

/// Reports when the machine is about to sleep and when a session of the user locks. The source is systemd-logind on
/// the system bus.
///
/// libdbus connects and calls by blocking, for seconds if the bus hangs. So it has a thread of its own, which sleeps
/// in poll(2) without waking up until the bus sends something (docs/decisions).
package final class LoginManager: Sendable {
    private let problems = Lock<LoginManagerError?>(.notRunning)
    private let continuation: AsyncStream<LoginManagerEvent>.Continuation
    private let stream: AsyncStream<LoginManagerEvent>
    /// A pipe; `stop` writes to it.
    private let stopping: (read: Int32, write: Int32)

    /// Starts the thread.
    ///
    /// - Throws: `LoginManagerError.cannotStartThread`. An unreachable bus is not an error: connecting is retried,
    ///   with a backoff of up to five minutes.
    package init() throws(LoginManagerError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .cannotStartThread(errno: errno) }
        stopping = (ends[0], ends[1])
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        try startThread()
    }

    deinit {
        close(stopping.read)
        close(stopping.write)
    }

    /// The events of logind, for a single reader.
    package func events() -> AsyncStream<LoginManagerEvent> { stream }

    /// The reason why events are not received, or why the machine does not wait before it sleeps; nil if all is well.
    package var problem: LoginManagerError? { problems.withLock { $0 } }

    /// Ends the stream of events, and the thread as soon as no call blocks it.
    package func stop() {
        continuation.finish()
        _ = write(stopping.write, "x", 1)
    }

    private func startThread() throws(LoginManagerError) {
        let status = BackgroundThread.start { self.run() }
        guard status == 0 else { throw .cannotStartThread(errno: status) }
    }

    private func run() {
        var watch = LoginWatch(
            stop: stopping.read,
            deliver: { self.continuation.yield($0) },
            tell: { error in self.problems.withLock { $0 = error } }
        )
        watch.run()
    }
}

/// Events of logind that concern a vault.
package enum LoginManagerEvent: Sendable {
    /// The machine is about to sleep or to hibernate. It waits until `delay` ends; nil if logind has granted none.
    case sleeps(delay: SleepDelay?)
    /// The machine has woken up.
    case wakes
    /// A session of our user was asked to lock, for example by a screen locker or `loginctl lock-session`.
    case sessionLocks
}

/// Reasons why logind cannot be used. Texts from the bus are made printable before they are stored.
package enum LoginManagerError: Error, Hashable, CustomStringConvertible {
    /// The thread, or the pipe that stops it, could not be created.
    case cannotStartThread(errno: Int32)
    /// No connection to the system bus; `reason` is the bus's own text.
    case noSystemBus(reason: String)
    /// No connection to the session bus; `reason` is the bus's own text.
    case noSessionBus(reason: String)
    /// The bus closed the connection.
    case busLost
    /// The bus is reachable, but the name of logind has no owner.
    case notRunning
    /// logind does not wait for us before the machine sleeps.
    case noDelay(reason: String)
    /// The bus or logind answered a call with an error, or did not answer.
    case refused(call: String, reason: String)

    /// A sentence fragment.
    package var description: String {
        switch self {
        case .cannotStartThread(let errno): "the thread for it cannot be started (errno \(errno))"
        case .noSystemBus(let reason): "the system bus cannot be reached: \(reason)"
        case .noSessionBus(let reason): "the session bus cannot be reached: \(reason)"
        case .busLost: "the connection to the system bus was lost"
        case .notRunning: "systemd-logind is not running"
        case .noDelay(let reason): "systemd-logind does not wait for it: \(reason)"
        case .refused(let call, let reason): "\(call) was refused: \(reason)"
        }
    }
}
