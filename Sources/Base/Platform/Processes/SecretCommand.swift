// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A program that prints a secret on the first line of its standard output, such as that of a password manager.
package struct SecretCommand: Sendable, Hashable {
    /// Maximum length of the output in bytes.
    package static let maximumBytes = 4 << 10
    /// The time after which the program is killed.
    package static let timeout = Duration.seconds(30)
    /// The directories in which a program without a slash in its name is searched for.
    package static let searchPath = ["/usr/local/bin", "/usr/bin", "/bin"]

    private static let maximumArguments = 32
    /// Maximum length of the part of standard error that an error contains.
    private static let maximumMessageBytes = 512
    /// How often the exit of a program is looked for while one of its children keeps its output open.
    private static let tick = Duration.milliseconds(50)
    /// Variables by which systemd passes descriptors and secrets to the daemon alone.
    private static let withheld: Set<String> = [
        "CREDENTIALS_DIRECTORY", "LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID", "NOTIFY_SOCKET", "WATCHDOG_PID",
        "WATCHDOG_USEC",
    ]

    /// The program and its arguments.
    package let arguments: [String]

    /// The reason why there is no secret.
    package enum Failure: Error, Hashable, Sendable {
        /// The program is in none of the directories.
        case notFound
        case notStarted(errno: Int32)
        /// - Parameter message: the beginning of its standard error.
        case exited(status: Int32, message: String)
        case killed(signal: Int32)
        case late
        /// The caller no longer needs the secret.
        case stopped
        case tooLong
        /// The first line is missing or empty.
        case empty
        case hasNUL
        case local(PlatformError)
    }

    /// - Returns: nil unless there are 1 to 32 arguments without NUL, of which the first is an absolute path or a name
    ///   without a slash.
    package init?(_ arguments: [String]) {
        guard let program = arguments.first, (1...Self.maximumArguments).contains(arguments.count), !program.isEmpty,
            program.hasPrefix("/") || !program.contains("/"), !arguments.contains(where: { $0.utf8.contains(0) })
        else { return nil }
        self.arguments = arguments
    }

    /// The program and its arguments as one printable line, each in quotes of a shell.
    package var text: String { arguments.map(ShellWord.quote).joined(separator: " ") }

    /// Runs the program without a shell, in a process group of its own, which is killed at the end. Blocks for at most
    /// `timeout`.
    ///
    /// - Parameters:
    ///   - environment: that of the daemon. The program gets it with `searchPath` as PATH, and without the variables for
    ///     the daemon alone.
    ///   - arena: stores the output, and has space for `maximumBytes`.
    ///   - stop: ends the program early.
    package func run(
        _ environment: Environment,
        in arena: SecretArena,
        timeout: Duration = Self.timeout,
        stop: StopSignal? = nil
    ) throws(Failure) -> Secret {
        let path = try resolved()
        // The caller may have waited for its turn.
        var signal = pollfd(fd: stop?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        guard poll(&signal, 1, 0) == 0 else { throw .stopped }
        let end = ContinuousClock.now + timeout
        var failure: Failure?
        var secret: Secret
        do throws(PlatformError) {
            // One more byte shows that the output is too long.
            secret = try Secret(capacity: Self.maximumBytes + 1, in: arena) { room in
                do throws(Failure) {
                    return try read(path, environment, into: room, until: end, stop)
                } catch {
                    failure = error
                    return 0
                }
            }
        } catch {
            throw .local(error)
        }
        if let failure { throw failure }
        guard secret.count <= Self.maximumBytes else { throw .tooLong }
        let line = secret.withBytes { bytes in bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }
        secret.truncate(to: line)
        guard line > 0 else { throw .empty }
        guard !secret.withBytes({ $0.contains(0) }) else { throw .hasNUL }
        return secret
    }

    /// Checks that the program can be started, without starting it.
    ///
    /// - Throws: `notFound`, `notStarted`.
    package func checkProgram() throws(Failure) {
        guard access(try resolved(), X_OK) == 0 else { throw .notStarted(errno: errno) }
    }

    private func resolved() throws(Failure) -> String {
        guard !arguments[0].hasPrefix("/") else { return arguments[0] }
        let paths = Self.searchPath.map { "\($0)/\(arguments[0])" }
        guard let path = paths.first(where: { access($0, X_OK) == 0 }) else { throw .notFound }
        return path
    }

    private func read(
        _ path: String,
        _ environment: Environment,
        into room: UnsafeMutableRawBufferPointer,
        until end: ContinuousClock.Instant,
        _ stop: StopSignal?
    ) throws(Failure) -> Int {
        let output = try OutputPipe()
        let errors = try OutputPipe()
        let program = RunningProgram(try spawn(path, environment, output.input, errors.input))
        output.closeInput()
        errors.closeInput()
        var count = 0
        var message: [UInt8] = []
        var waste = [UInt8](repeating: 0, count: Self.maximumMessageBytes)
        var status: Int32?
        while true {
            // After the exit, only the rest that is in the pipes is read.
            let isOver = status != nil
            let now = ContinuousClock.now
            guard now < end else { throw .late }
            var entries = [
                pollfd(fd: output.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let wait = isOver ? .zero : min(Self.tick, end - now)
            _ = poll(&entries, 3, Int32(wait.components.attoseconds / 1_000_000_000_000_000))
            guard entries[2].revents == 0 else { throw .stopped }
            var isRead = false
            if entries[0].revents != 0, count < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
                let added = Glibc.read(output.output, rest.baseAddress, rest.count)
                if added > 0 { count += added }
                isRead = added > 0
                guard count < room.count else { throw .tooLong }
            }
            if entries[1].revents != 0 {
                let added = Glibc.read(errors.output, &waste, waste.count)
                if added > 0 { message += waste[..<added].prefix(Self.maximumMessageBytes - message.count) }
                isRead = isRead || added > 0
            }
            if isOver, !isRead { break }
            // An end of file makes poll(2) return immediately, until the program has exited.
            if !isRead, entries[0].revents != 0 || entries[1].revents != 0 { _ = poll(nil, 0, 1) }
            if status == nil { status = program.exitStatus }
        }
        guard let status, status != 0 else { return count }
        if status & 0x7F != 0 { throw .killed(signal: status & 0x7F) }
        throw .exited(status: status >> 8 & 0xFF, message: String(decoding: message, as: UTF8.self))
    }

    private func spawn(
        _ path: String,
        _ environment: Environment,
        _ output: Int32,
        _ errors: Int32
    ) throws(Failure) -> pid_t {
        let names = environment.names(withPrefix: "").filter { !Self.withheld.contains($0) && $0 != "PATH" }
        let variables = names.map { "\($0)=\(environment[$0] ?? "")" }
        var program = ProgramStart(path, arguments: arguments)
        program.environment = variables + ["PATH=\(Self.searchPath.joined(separator: ":"))"]
        program.input = .null
        program.output = .descriptor(output)
        program.errors = .descriptor(errors)
        program.hasOwnGroup = true
        do throws(ProgramStart.Failure) {
            return try program.start()
        } catch {
            throw .notStarted(errno: error.errno)
        }
    }
}

/// A pipe from a program to this process. A program cannot open a socket as `/dev/stdout`.
private final class OutputPipe {
    let output: Int32
    private(set) var input: Int32

    init() throws(SecretCommand.Failure) {
        var ends: [Int32] = [-1, -1]
        let result = relx_pipe(&ends)
        guard result == 0 else { throw .notStarted(errno: -result) }
        (output, input) = (ends[0], ends[1])
    }

    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    deinit {
        closeInput()
        close(output)
    }
}

/// A started program with its process group. Both are killed when this object goes.
private final class RunningProgram {
    private let pid: pid_t
    private var isReaped = false

    init(_ pid: pid_t) { self.pid = pid }

    /// The wait status, once the program has exited. Kills the children that are still there.
    var exitStatus: Int32? {
        var facts = siginfo_t()
        // The program stays a zombie for now, so that no other group can get its number.
        guard waitid(P_PID, id_t(pid), &facts, WEXITED | WNOHANG | WNOWAIT) == 0, facts.si_signo != 0 else {
            return nil
        }
        return end()
    }

    private func end() -> Int32 {
        kill(-pid, SIGKILL)
        // It may have left its group.
        kill(pid, SIGKILL)
        isReaped = true
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }

    deinit {
        if !isReaped { _ = end() }
    }
}
