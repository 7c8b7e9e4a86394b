// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// Serves one MCP client on standard input and output. Commands run one after the other, each in a process of its own.
struct MCPLoop {
    private var session: MCPSession
    private var lines = MCPLines()

    init(_ session: MCPSession) { self.session = session }

    /// Runs until the client has closed standard input and every request is answered.
    mutating func run() throws {
        while true {
            while let line = lines.next() {
                switch session.take(line) {
                case .none: break
                case .reply(let reply): try write(reply)
                case .run(let call, let id): if let reply = try run(call, id) { try write(reply) }
                }
            }
            guard !lines.hasEnded else { return }
            lines.read(from: STDIN_FILENO)
        }
    }

    private func write(_ line: [UInt8]) throws {
        let failure = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { OpenFile.writeAll($0, to: STDOUT_FILENO) }
        guard failure == 0 else { throw Self.unread }
    }

    private static let unread = Failure(.failed, "the client reads no longer")

    /// Runs a command.
    ///
    /// - Returns: the answer; nil if the client cancelled the request, or has gone.
    private mutating func run(_ call: MCPCall, _ id: JSONValue) throws -> [UInt8]? {
        if let client = session.client { setenv(ClientName.variable, client.text, 1) }
        let errors = try TemporaryFiles.unnamed()
        defer { close(errors) }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw PlatformError.system(call: "socketpair", subject: "output", errno: errno)
        }
        defer { close(ends[0]) }
        var program = ProgramStart("/proc/self/exe", arguments: ["relctl"] + call.words)
        (program.input, program.output, program.errors) = (
            .null, .descriptor(ends[1]), .descriptor(errors)
        )
        program.hasOwnGroup = true
        let pid: pid_t
        do throws(ProgramStart.Failure) {
            pid = try program.start()
        } catch {
            close(ends[1])
            return MCPSession.failure(
                id,
                "relctl cannot be run: \(String(cString: strerror(error.errno)))",
                status: nil
            )
        }
        close(ends[1])
        let (output, end) = collect(ends[0], id)
        if end != .complete { kill(-pid, SIGTERM) }
        let status = Self.status(of: pid)
        switch end {
        case .cancelled: return nil
        case .unread: throw Self.unread
        case .tooLong:
            return MCPSession.failure(
                id,
                "the result is longer than \(Counted(MCPSession.longestResult, "byte")): ask for fewer rows or fields",
                status: nil
            )
        case .complete:
            guard status == EXIT_SUCCESS else {
                // A server's exception may be longer than this. Its beginning is enough.
                var text = [UInt8](repeating: 0, count: Self.longestError)
                let count = max(0, pread(errors, &text, text.count, 0))
                return MCPSession.failure(id, String(decoding: text[..<count], as: UTF8.self), status: status)
            }
            return MCPSession.answer(id, output: output)
        }
    }

    private static let longestError = 64 << 10

    private enum End { case complete, tooLong, cancelled, unread }

    /// Reads the output of a command, and meanwhile what the client sends. A client that reads no longer cancels.
    private mutating func collect(_ descriptor: Int32, _ id: JSONValue) -> ([UInt8], End) {
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: lines.isFull || lines.hasEnded ? -1 : STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
            ]
            guard poll(&waiting, 3, -1) > 0 else { continue }
            if waiting[2].revents != 0 { return ([], .unread) }
            if waiting[1].revents != 0 {
                lines.read(from: STDIN_FILENO)
                if lines.remove(where: { MCPSession.isCancellation($0, of: id) }) { return ([], .cancelled) }
            }
            guard waiting[0].revents != 0 else { continue }
            let count = Glibc.read(descriptor, &piece, piece.count)
            guard count > 0 else { return (output, .complete) }
            output += piece[..<count]
            guard output.count <= MCPSession.longestResult else { return ([], .tooLong) }
        }
    }

    private static func status(of pid: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }
}

/// The lines of the client that were not taken yet. A line that is too long is taken as an empty one, which is no message.
private struct MCPLines {
    private var lines: [[UInt8]] = []
    private var rest: [UInt8] = []
    private var isSkipping = false
    /// Whether the client has closed its end.
    private(set) var hasEnded = false

    /// Whether the client must wait before it is read again.
    var isFull: Bool { lines.count >= 64 }

    mutating func next() -> [UInt8]? { lines.isEmpty ? nil : lines.removeFirst() }

    /// Removes the lines that satisfy a condition, and returns whether there were any.
    mutating func remove(where isRemoved: ([UInt8]) -> Bool) -> Bool {
        let count = lines.count
        lines.removeAll(where: isRemoved)
        return lines.count < count
    }

    /// Reads what has come, or waits for it.
    mutating func read(from descriptor: Int32) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var count = Glibc.read(descriptor, &piece, piece.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &piece, piece.count) }
        guard count > 0 else {
            hasEnded = true
            return
        }
        var parts = piece[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let part = parts.popFirst() {
            if !isSkipping { rest += part }
            if rest.count > MCPSession.longestLine { (rest, isSkipping) = ([], true) }
            guard !parts.isEmpty else { break }
            lines.append(rest)
            (rest, isSkipping) = ([], false)
        }
    }
}
