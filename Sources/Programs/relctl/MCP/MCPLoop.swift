// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// Serves one MCP client on standard input and output. Commands run at the same time, so that a long one does not delay
/// the answers of others.
struct MCPLoop {
    /// The commands that run at the same time.
    private static let mostRunning = 4
    /// The calls that wait for their turn before the client must wait.
    private static let mostWaiting = 64
    /// The time until the next answer after the client has closed standard input.
    private static let patience = Duration.seconds(5)

    private var session: MCPSession
    private var lines = MCPLines()
    private var waiting: [(call: MCPCall, id: JSONValue)] = []
    private var running: [MCPRun] = []
    /// The end of the patience; nil before the client has closed standard input.
    private var end: ContinuousClock.Instant?
    private let signals: HeldSignals

    /// - Throws: `PlatformError.system`
    init(_ session: MCPSession) throws(PlatformError) {
        self.session = session
        signals = try HeldSignals([SIGHUP, SIGINT, SIGTERM])
    }

    /// Runs until the client has closed standard input, and every request is answered or takes too long.
    mutating func run() throws {
        defer { for command in running { command.cancel() } }
        while true {
            while let line = lines.next() { try take(line) }
            try startWaiting()
            if lines.hasEnded {
                guard !running.isEmpty else { return }
                end = end ?? .now + Self.patience
            }
            guard try wait() else { return }
        }
    }

    private mutating func take(_ line: MCPLines.Line) throws {
        guard case .text(let text) = line else { return try write(MCPSession.tooLongLine) }
        switch session.take(text) {
        case .none: break
        case .reply(let reply): try write(reply)
        case .run(let call, let id): waiting.append((call, id))
        case .cancel(let id):
            waiting.removeAll { $0.id == id }
            for command in running where command.id == id { command.cancel() }
            running.removeAll { $0.id == id }
        }
    }

    private func write(_ line: [UInt8]) throws {
        let failure = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { OpenFile.writeAll($0, to: STDOUT_FILENO) }
        guard failure == 0 else { throw Self.unread }
    }

    private static let unread = Failure(.failed, "the client reads no longer")

    /// Starts commands. Those that use the pending set run one after the other, in the order of their calls.
    private mutating func startWaiting() throws {
        var usesSet = running.contains(where: \.call.usesPendingSet)
        var index = 0
        while running.count < Self.mostRunning, index < waiting.count {
            let (call, id) = waiting[index]
            guard !call.usesPendingSet || !usesSet else {
                index += 1
                continue
            }
            usesSet = usesSet || call.usesPendingSet
            waiting.remove(at: index)
            if let client = session.client { setenv(ClientName.variable, client.text, 1) }
            do throws(PlatformError) {
                running.append(try MCPRun(call, id))
            } catch {
                try write(MCPSession.failure(id, "relctl cannot be run: \(error)", status: nil))
            }
        }
    }

    /// Waits until something happens, and handles it.
    ///
    /// - Returns: false if the client has closed standard input and waits for too long.
    private mutating func wait() throws -> Bool {
        let isClosed = lines.hasEnded || waiting.count >= Self.mostWaiting
        var entries = [
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
            pollfd(fd: isClosed ? -1 : STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        entries += running.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
        let rest = end.map { max(.zero, $0 - .now) / .milliseconds(1) + 1 }
        guard poll(&entries, nfds_t(entries.count), rest.map { Int32($0) } ?? -1) > 0 else {
            return end.map { .now < $0 } ?? true
        }
        if entries[0].revents != 0, let signal = signals.next() {
            for command in running { command.cancel() }
            running = []
            signals.take(signal)
        }
        if entries[1].revents != 0 { throw Self.unread }
        if entries[2].revents != 0 { lines.read(from: STDIN_FILENO) }
        for index in running.indices.reversed() where entries[3 + index].revents != 0 {
            guard let answer = running[index].read() else { continue }
            running.remove(at: index)
            try write(answer)
            end = nil
        }
        return true
    }
}

/// The lines of the client that were not taken yet.
private struct MCPLines {
    enum Line {
        case text([UInt8])
        /// One that is longer than `MCPSession.longestLine`.
        case tooLong
    }

    private var lines: [Line] = []
    private var rest: [UInt8] = []
    private var isSkipping = false
    /// Whether the client has closed its end.
    private(set) var hasEnded = false

    mutating func next() -> Line? { lines.isEmpty ? nil : lines.removeFirst() }

    /// Reads what has come, or waits for it. What follows the last line feed is a line too.
    mutating func read(from descriptor: Int32) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var count = Glibc.read(descriptor, &piece, piece.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &piece, piece.count) }
        guard count > 0 else {
            hasEnded = true
            if isSkipping || !rest.isEmpty { endLine() }
            return
        }
        var parts = piece[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        while let part = parts.popFirst() {
            if !isSkipping { rest += part }
            if rest.count > MCPSession.longestLine { (rest, isSkipping) = ([], true) }
            if !parts.isEmpty { endLine() }
        }
    }

    private mutating func endLine() {
        lines.append(isSkipping ? .tooLong : .text(rest))
        (rest, isSkipping) = ([], false)
    }
}
