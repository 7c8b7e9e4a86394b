// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Platform
internal import Synchronization

/// Hears from systemd-logind, over the system bus, that the machine is about to sleep or that our session locks.
///
/// libdbus connects and calls by blocking, for seconds where the bus hangs: so it has a thread, which sleeps in poll(2)
/// without waking up until the bus has something to say (docs/decisions).
package final class LoginManager: Sendable {
    private let problems = Mutex<LoginManagerError?>(.notRunning)
    private let continuation: AsyncStream<LoginManagerEvent>.Continuation
    private let stream: AsyncStream<LoginManagerEvent>
    /// Both ends of a pipe that `stop` writes to.
    private let stopping: (read: Int32, write: Int32)

    /// Starts the thread.
    ///
    /// - Throws: `LoginManagerError.cannotStartThread`. A bus that cannot be reached is no error: it is tried again, after
    ///   pauses of up to five minutes.
    package init() throws(LoginManagerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .cannotStartThread(errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopping = (ends[0], ends[1])
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        try startThread()
    }

    deinit {
        close(stopping.read)
        close(stopping.write)
    }

    /// What logind tells from now on. For one reader.
    package func events() -> AsyncStream<LoginManagerEvent> { stream }

    /// Why nothing would be heard just now, or the machine would not wait; nil if all is well.
    package var problem: LoginManagerError? { problems.withLock { $0 } }

    /// Ends the events, and the thread as soon as no call blocks it.
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

/// What logind tells that concerns a vault.
package enum LoginManagerEvent: Sendable {
    /// The machine is about to sleep or to hibernate. It waits for `delay` to end, nil where logind granted none.
    case sleeps(delay: SleepDelay?)
    case wakes
    /// A session of our user was told to lock, as a screen locker or `loginctl lock-session` does.
    case sessionLocks
}

/// Why logind is not heard. Texts of the bus are printed only after they were made printable.
package enum LoginManagerError: Error, Hashable, CustomStringConvertible {
    case cannotStartThread(errno: Int32)
    /// No connection to the system bus; the bus's own words.
    case noSystemBus(reason: String)
    case busLost
    /// The bus is there, and nobody on it has logind's name.
    case notRunning
    /// logind will not wait for us before it sleeps.
    case noDelay(reason: String)
    /// The bus or logind answered a call with an error, or not at all.
    case refused(call: String, reason: String)

    package var description: String {
        switch self {
        case .cannotStartThread(let errno): "the thread for it cannot be started (errno \(errno))"
        case .noSystemBus(let reason): "the system bus cannot be reached: \(reason)"
        case .busLost: "the connection to the system bus was lost"
        case .notRunning: "systemd-logind is not running"
        case .noDelay(let reason): "systemd-logind does not wait for it: \(reason)"
        case .refused(let call, let reason): "\(call) was refused: \(reason)"
        }
    }
}
