// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// A program that a test started, with pipes at its standard input, output and error.
///
/// Its input closes with this object or the test's own process: a program that ends at end of input leaves nothing behind.
package final class ChildProcess: Sendable {
    package struct CannotStart: Error {
        package let program: String
        package let errno: Int32
    }

    package let pid: Int32
    private let input: Mutex<Int32>
    private let output: Int32
    private let errors: Int32
    private let isReaped = Mutex(false)

    /// - Parameters:
    ///   - arguments: the program, looked up in PATH, and its arguments.
    ///   - environment: added to the test's own.
    package init(_ arguments: [String], environment: [String: String] = [:]) throws {
        // A program started by another thread between making a pipe and marking it would hold its ends open.
        let (started, pipes) = try Self.spawning.withLock { _ in try Self.spawn(arguments, environment) }
        close(pipes[0].read)
        close(pipes[1].write)
        close(pipes[2].write)
        input = Mutex(pipes[0].write)
        output = pipes[1].read
        errors = pipes[2].read
        pid = (try? started.get()) ?? -1
        _ = try started.get()
    }

    private static let spawning = Mutex(())

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

        // NIO's threads block all signals, SIGCHLD too; a shell would wait for ever.
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

    /// Writes all of it, blocking while the pipe is full.
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

    /// Sends a signal, unless the program has ended.
    package func signal(_ signal: Int32) {
        isReaped.withLock { if !$0 { kill(pid, signal) } }
    }

    /// Blocks for the next piece of output; empty at its end. To be called from one thread at a time.
    package func readOutput() -> [UInt8] { Self.read(output) }

    /// The same for standard error.
    func readErrors() -> [UInt8] { Self.read(errors) }

    /// Blocks until there is something to read at either, or until `milliseconds` have passed.
    func awaitOutput(milliseconds: Int32) -> (output: Bool, errors: Bool) {
        var ends = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&ends, nfds_t(ends.count), milliseconds)
        return (ends[0].revents != 0, ends[1].revents != 0)
    }

    /// Blocks until it ends.
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
    /// Its standard output by lines, until the end of it, or until it has been silent for so long.
    package func outputLines(silence: Duration) -> AsyncStream<String> {
        let milliseconds = Int32(clamping: silence.components.seconds * 1_000)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        BlockingWork.start { [self] in
            var rest: [UInt8] = []
            // Of standard output only: what is said or closed elsewhere is no silence.
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
