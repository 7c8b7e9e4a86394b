// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One run of a helper program, with a socket as its standard input and output. Its end is guaranteed: when this
/// object goes, the program is killed and waited for. No call blocks for longer than until `end`.
package final class HelperProcess {
    /// The reason why a helper could not be used.
    package enum Failure: Error, Hashable {
        case notStarted(errno: Int32)
        /// The helper closed its output before its reply was complete.
        case closed
        case late
        /// The stop signal was given.
        case stopped
        /// The arena could not store the reply.
        case local(PlatformError)
    }

    private let pid: pid_t
    private let socket: Int32
    private let end: ContinuousClock.Instant
    private let stop: StopSignal?
    private var isReaped = false

    /// - Parameters:
    ///   - path: the path of the program, which gets no arguments.
    ///   - environment: its complete environment, as `NAME=value`.
    ///   - end: when sending and receiving time out.
    ///   - stop: aborts sending and receiving.
    package init(
        _ path: String,
        environment: [String],
        end: ContinuousClock.Instant,
        stop: StopSignal? = nil
    ) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .notStarted(errno: errno) }
        defer { close(ends[1]) }
        // The helper's end blocks. The end of this process does not, because poll(2) enforces the timeout.
        guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
            close(ends[0])
            throw .notStarted(errno: errno)
        }
        var program = ProgramStart(path)
        program.environment = environment
        program.input = .descriptor(ends[1])
        program.output = .descriptor(ends[1])
        // Errors come as a reply; what libraries write to standard error is of no use in the log.
        program.errors = .null
        do throws(ProgramStart.Failure) {
            pid = try program.start()
        } catch {
            close(ends[0])
            throw .notStarted(errno: error.errno)
        }
        socket = ends[0]
        self.end = end
        self.stop = stop
    }

    deinit {
        close(socket)
        guard !isReaped else { return }
        kill(pid, SIGKILL)
        Self.wait(for: pid)
    }

    /// Sends all bytes. If the helper exits early, the rest is dropped without an error: its reply can still be
    /// received.
    package func send(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.send(socket, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE || errno == ECONNRESET {
                return
            } else {
                try pause(for: POLLOUT, after: count)
            }
        }
    }

    /// Sends bytes that are not secret.
    package func send(_ bytes: [UInt8]) throws(Failure) {
        var failure: Failure?
        bytes.withUnsafeBytes { bytes in
            do throws(Failure) { try send(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Fills the whole buffer.
    package func receive(into room: UnsafeMutableRawBufferPointer) throws(Failure) {
        var filled = 0
        while filled < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = recv(socket, rest.baseAddress, rest.count, 0)
            if count > 0 {
                filled += count
            } else {
                try pause(for: POLLIN, after: count)
            }
        }
    }

    /// Receives bytes that are not secret.
    package func receive(byteCount: Int) throws(Failure) -> [UInt8] {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
        defer { room.deallocate() }
        try receive(into: room)
        return Array(room)
    }

    /// Receives bytes into the arena.
    package func receive(secretOf byteCount: Int, in arena: SecretArena) throws(Failure) -> Secret {
        var failure: Failure?
        let secret: Secret
        do throws(PlatformError) {
            secret = try Secret(capacity: byteCount, in: arena) { room in
                do throws(Failure) { try receive(into: room) } catch { failure = error }
                return room.count
            }
        } catch {
            throw .local(error)
        }
        if let failure { throw failure }
        return secret
    }

    /// Kills the helper unless it has exited, and waits for it.
    ///
    /// - Returns: its wait status.
    package func finish() -> Int32 {
        isReaped = true
        kill(pid, SIGKILL)
        return Self.wait(for: pid)
    }

    /// Sends SIGINT, so that a program that draws on a terminal can restore it, and waits until it exits or
    /// `patience` is over.
    package func interrupt(within patience: Duration) {
        kill(pid, SIGINT)
        let end = ContinuousClock.now + patience
        var byte: UInt8 = 0
        while ContinuousClock.now < end {
            let count = recv(socket, &byte, 1, 0)
            guard count > 0 || (count < 0 && [EAGAIN, EINTR].contains(errno)) else { return }
            guard StopSignal.wait(for: POLLIN, of: socket, or: nil, until: end) == .ready else { return }
        }
    }

    /// Waits until a call that transferred nothing can be retried.
    private func pause(for event: Int32, after count: Int) throws(Failure) {
        guard count < 0, [EAGAIN, EINTR].contains(errno) else { throw .closed }
        switch StopSignal.wait(for: event, of: socket, or: stop, until: end) {
        case .ready: break
        case .stopped: throw .stopped
        case .late: throw .late
        }
    }

    @discardableResult
    private static func wait(for pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

/// The paths of the project's helper programs, derived from the path of the running program. No search path is used.
package enum HelperProgram {
    /// `PREFIX/libexec/relativityd/` for a program in `PREFIX/bin`; in a build directory, the helper next to the
    /// program. If neither exists, the first is returned, so that the error of starting it names that path.
    package static func path(of name: String) -> String {
        let directory = ownDirectory
        let installed = "/" + (directory.dropLast() + ["libexec", "relativityd", name[...]]).joined(separator: "/")
        let built = "/" + (directory + [name[...]]).joined(separator: "/")
        return access(installed, X_OK) != 0 && access(built, X_OK) == 0 ? built : installed
    }

    /// A program of the project for users, which is in the same directory as the running one.
    package static func path(beside name: String) -> String {
        "/" + (ownDirectory + [name[...]]).joined(separator: "/")
    }

    /// The components of the path of the running program's directory.
    private static var ownDirectory: [Substring] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast()
    }
}
