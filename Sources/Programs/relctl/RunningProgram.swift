// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A child process that relctl stands in for: it receives relctl's signals, relctl stops when it has stopped, and exits
/// with its exit status.
struct RunningProgram {
    /// Signals by which a user or a service manager controls a program.
    private static let passedOn = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH]

    private let pid: pid_t

    /// Starts a program, found in PATH, with the environment of this process and `variables`.
    ///
    /// - Parameters:
    ///   - input: the program's standard input; nil for that of this process.
    ///   - output: the descriptor of its standard output; nil for that of this process.
    ///   - endsWithRelctl: whether it ends when relctl is killed, which then forwards no signal. See `ParentProcess`.
    /// - Throws: `ProgramNotStarted`
    init(
        _ arguments: [String],
        variables: [(name: String, value: String)] = [],
        input: [UInt8]? = nil,
        output: Int32? = nil,
        endsWithRelctl: Bool = false
    ) throws {
        // relctl may have inherited SIG_IGN for SIGCHLD. The kernel would then reap children, and waitpid(2) have no
        // status.
        signal(SIGCHLD, SIG_DFL)
        Self.holdSignals()

        for (name, value) in variables { setenv(name, value, 1) }
        var program = ProgramStart(arguments[0], arguments: arguments)
        program.searchesPath = true
        program.others = .inherited
        program.endsWithParent = endsWithRelctl
        // The child must inherit neither that relctl ignores SIGPIPE nor that its parent ignored SIGCHLD.
        program.restored = [SIGPIPE, SIGCHLD]
        if let output { program.output = .descriptor(output) }
        var ends: [Int32] = [-1, -1]
        if input != nil {
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
                throw ProgramNotStarted(name: arguments[0], errno: errno)
            }
            program.input = .descriptor(ends[0])
        }
        defer { for end in ends where end >= 0 { close(end) } }
        do throws(ProgramStart.Failure) {
            pid = try program.start()
        } catch {
            throw ProgramNotStarted(name: arguments[0], errno: error.errno)
        }
        guard let input else { return }
        // Without a reader of its own, so that writing fails if the program has ended.
        close(ends[0])
        ends[0] = -1
        // A program that does not read its input reports that itself.
        _ = input.withUnsafeBytes { OpenFile.writeAll($0, to: ends[1]) }
    }

    /// Blocks the signals until `waitForEnd` accepts them, so that none is lost before the program runs.
    static func holdSignals() {
        var waiting = watched
        sigprocmask(SIG_BLOCK, &waiting, nil)
    }

    /// Ends `holdSignals`.
    static func releaseSignals() {
        var waiting = watched
        sigprocmask(SIG_UNBLOCK, &waiting, nil)
    }

    /// Forwards signals until the program has ended. Stops when the program has stopped, so that the program has restored
    /// the terminal before the shell uses it, and continues it.
    ///
    /// - Returns: its exit status, or 128 plus the number of the signal that killed it.
    func waitForEnd() -> Int32 {
        var watched = Self.watched
        var isAskedToStop = false
        while true {
            var facts = siginfo_t()
            let signal = sigwaitinfo(&watched, &facts)
            if signal == SIGTSTP { isAskedToStop = true }
            if signal == SIGCHLD {
                switch ChildState(of: pid) {
                case .exited(let status): return status
                case .killed(let signal): return 128 + signal
                case .reaped: return EXIT_FAILURE
                // A program may stop itself by SIGSTOP after Ctrl-Z. Otherwise someone has stopped only the program, and
                // will continue only the program.
                case .stopped(let signal) where signal == SIGTSTP || isAskedToStop || Self.isPending(SIGTSTP):
                    raise(SIGSTOP)
                    isAskedToStop = false
                    kill(pid, SIGCONT)
                case .stopped, .unchanged: break
                }
            } else if signal > 0, facts.si_code <= 0 {
                // Signals from the kernel, such as for Ctrl-C, reach the program on their own.
                kill(pid, signal)
            }
        }
    }

    private static func isPending(_ signal: Int32) -> Bool {
        var pending = sigset_t()
        return sigpending(&pending) == 0 && sigismember(&pending, signal) == 1
    }

    private static var watched: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in passedOn + [SIGCHLD] { sigaddset(&signals, signal) }
        return signals
    }
}
