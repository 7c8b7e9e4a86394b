// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Locks

/// A program that a test started, with pipes for its standard input, output and error.
///
/// Its input closes with this object or the test's process, so a program that exits at the end of input leaves no
/// process.
package final class ChildProcess: Sendable {
    package struct CannotStart: Error {
        package let program: String
        package let errno: Int32
    }

    package let pid: Int32
    private let input: Lock<Int32>
    private let output: Int32
    private let errors: Int32
    private let isReaped = Lock(false)

    /// - Parameters:
    ///   - arguments: the program, looked up in PATH, and its arguments.
    ///   - environment: added to that of the test.
    package init(_ arguments: [String], environment: [String: String] = [:]) throws {
        // Otherwise a program that another thread starts, after a pipe is made and before it is marked, would inherit
        // its ends.
        let (started, pipes) = try Self.spawning.withLock { _ in try Self.spawn(arguments, environment) }
        close(pipes[0].read)
        close(pipes[1].write)
        close(pipes[2].write)
        input = Lock(pipes[0].write)
        output = pipes[1].read
        errors = pipes[2].read
        pid = (try? started.get()) ?? -1
        _ = try started.get()
    }

    private static let spawning = Lock(())

    private static func spawn(
        _ arguments: [String],
        _ environment: [String: String]
    ) throws -> (Result<Int32, CannotStart>, [(read: Int32, write: Int32)]) {
        var pipes: [(read: Int32, write: Int32)] = []
        for _ in 0..<3 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw CannotStart(program: arguments[0], errno: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipes.append((ends[0], ends[1]))
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes[0].read, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pipes[1].write, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pipes[2].write, STDERR_FILENO)

        // NIO's threads block all signals, including SIGCHLD. With that mask a shell would wait forever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let argv = arguments.map { strdup($0) } + [nil]
        let envp = Self.environment(with: environment).map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid = pid_t()
        let status = posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, envp)
        return (status == 0 ? .success(pid) : .failure(CannotStart(program: arguments[0], errno: status)), pipes)
    }

    deinit {
        closeInput()
        close(output)
        close(errors)
    }

    /// Writes the complete text, blocking while the pipe is full.
    package func write(_ text: String) {
        input.withLock { input in
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty, input >= 0 {
                let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    package func closeInput() {
        input.withLock {
            if $0 >= 0 { close($0) }
            $0 = -1
        }
    }

    /// Sends a signal, unless the program has exited.
    package func signal(_ signal: Int32) {
        isReaped.withLock { if !$0 { kill(pid, signal) } }
    }

    /// Blocks until there is output, and returns it; empty at its end. Call it from one thread at a time.
    package func readOutput() -> [UInt8] { Self.read(output) }

    /// Like `readOutput`, for standard error.
    package func readErrors() -> [UInt8] { Self.read(errors) }

    /// Blocks until there is input from either, or until `milliseconds` have passed.
    func awaitOutput(milliseconds: Int32) -> (output: Bool, errors: Bool) {
        var ends = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&ends, nfds_t(ends.count), milliseconds)
        return (ends[0].revents != 0, ends[1].revents != 0)
    }

    /// Blocks until the program exits.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped.withLock { $0 = true }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }

    private static func environment(with added: [String: String]) -> [String] {
        var result: [String] = []
        var entry = environ
        while let text = entry.pointee {
            let variable = String(cString: text)
            let name = variable.prefix { $0 != "=" }
            if added[String(name)] == nil { result.append(variable) }
            entry += 1
        }
        return result + added.map { "\($0)=\($1)" }
    }
}

extension ChildProcess {
    /// The lines of its standard output, until its end, or until there is no line for the given time.
    package func outputLines(silence: Duration) -> AsyncStream<String> {
        let milliseconds = Int32(clamping: silence.components.seconds * 1_000)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        BlockingWork.start { [self] in
            var rest: [UInt8] = []
            // Only standard output counts. Other output, or the end of another descriptor, does not.
            var end = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            while poll(&end, 1, milliseconds) > 0 {
                let piece = readOutput()
                if piece.isEmpty { break }
                rest += piece
                while let end = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
            }
            continuation.finish()
        }
        return lines
    }
}
