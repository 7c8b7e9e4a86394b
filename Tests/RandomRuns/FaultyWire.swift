// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Locks
internal import TestSupport

/// A fault at one byte of a connection.
struct WireFault: Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The connection breaks.
        case cut
        /// The other bytes wait until the client has given up. Those of a request then reach the server.
        case late
        /// The other bytes wait for a moment.
        case pause
        /// The request up to this byte was sent over a connection that broke, and is sent again as a whole. A reply
        /// is sent twice.
        case again
        /// A reply is sent again when the next request has arrived. Then the connection breaks at the next bytes.
        case stale
    }

    enum Direction: String, Hashable, Sendable, CaseIterable {
        case request, reply
    }

    let kind: Kind
    let direction: Direction
    /// The number of bytes in this direction that pass before, over all connections.
    let position: Int

    var description: String { "\(kind) at byte \(position) of \(direction)s" }
}

/// A proxy between the client and the server of Unix sockets, with at most one fault in a run. HTTP requests have a
/// Content-Length.
final class FaultyWire: Sendable {
    /// A connection of the client.
    private struct Link {
        var client: Int32
        var server: Int32
        /// The bytes of the current request that the server received.
        var request: [UInt8] = []
        var isAnswered = true
        /// The client receives nothing more, and is to close the connection.
        var isMute = false
        /// What the server receives when the client has closed the connection.
        var held: [UInt8] = []
        /// A reply that is sent again as the answer to the next request.
        var stale: [UInt8] = []
        /// Whether that was done.
        var isAnsweredTwice = false

        /// Whether the server executes a request whose reply has not begun.
        var isBusy: Bool { !isAnswered && FaultyWire.isComplete(request) }
        var isOver: Bool { client < 0 && !isBusy }
    }

    private struct State {
        var links: [Link] = []
        var fault: WireFault?
        var passed: [WireFault.Direction: Int] = [:]
        var giveUp: (@Sendable () -> Void)?
        /// The number of bytes of requests before each request.
        var starts: [Int] = []
        var hasRepeatedCall = false
        var isStopped = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())
    private let listener: Int32
    private let serverPath: String
    private let wake: (read: Int32, write: Int32)

    init(path: String, server: String) throws {
        serverPath = server
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw RunFailure("pipe: \(errno)") }
        wake = (ends[0], ends[1])
        listener = try Self.socket(path, binds: true)
        BlockingWork.start { [self] in run() }
    }

    // MARK: A run

    /// Starts a run.
    ///
    /// - Parameter giveUp: called when bytes wait until the client gives up.
    func arm(_ fault: WireFault?, giveUp: @escaping @Sendable () -> Void) {
        state.withLock { state in
            (state.fault, state.giveUp, state.passed, state.starts, state.hasRepeatedCall) = (
                fault, giveUp, [:], [], false
            )
        }
    }

    /// Ends the fault, and waits until the server works on no call.
    ///
    /// - Returns: the bytes that passed in each direction, those before each request, and whether the server received a
    ///   complete call twice.
    func disarm() async -> (passed: [WireFault.Direction: Int], starts: [Int], hasRepeatedCall: Bool) {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                (state.fault, state.giveUp) = (nil, nil)
                // The call may have ended before the client could give up.
                for index in state.links.indices where state.links[index].held.isEmpty {
                    state.links[index].isMute = false
                }
                for index in state.links.indices { state.links[index].stale = [] }
                state.waiters.append(continuation)
            }
            ring()
        }
        return state.withLock { ($0.passed, $0.starts, $0.hasRepeatedCall) }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        ring()
    }

    private func ring() {
        var byte: UInt8 = 0
        Glibc.write(wake.write, &byte, 1)
    }

    // MARK: The thread

    private func run() {
        while true {
            let (clients, servers, isAwaited) = state.withLock { state in
                (state.links.map(\.client), state.links.map(\.server), !state.waiters.isEmpty)
            }
            var ends = ([wake.read, listener] + clients + servers).map { descriptor in
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            }
            // Bytes that a client has sent before may still have to be found.
            poll(&ends, nfds_t(ends.count), isAwaited ? 1 : -1)
            let isReady = ends.map { $0.revents != 0 }
            let isStopped = state.withLock { state in
                if isReady[0] { _ = Self.read(wake.read) }
                for index in clients.indices {
                    if isReady[2 + index] { fromClient(&state, index) }
                    if isReady[2 + clients.count + index] { fromServer(&state, index) }
                }
                if isReady[1] { connect(&state) }
                for index in state.links.indices.reversed() where state.links[index].isOver {
                    close(state.links[index].server)
                    state.links.remove(at: index)
                }
                if isAwaited, !isReady.contains(true), !state.links.contains(where: { $0.isBusy || $0.isMute }) {
                    for waiter in state.waiters { waiter.resume() }
                    state.waiters = []
                }
                guard state.isStopped else { return false }
                for end in state.links.flatMap({ [$0.client, $0.server] }) where end >= 0 { close(end) }
                return true
            }
            guard !isStopped else { break }
        }
        for end in [listener, wake.read, wake.write] { close(end) }
    }

    private func connect(_ state: inout State) {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        guard let server = try? Self.socket(serverPath, binds: false) else {
            close(client)
            return
        }
        state.links.append(Link(client: client, server: server))
    }

    private func fromClient(_ state: inout State, _ index: Int) {
        guard state.links[index].client >= 0 else { return }
        var bytes = Self.read(state.links[index].client)
        guard !bytes.isEmpty, !state.links[index].isAnsweredTwice else {
            close(state.links[index].client)
            state.links[index].client = -1
            state.links[index].isMute = false
            if !state.links[index].held.isEmpty {
                state.links[index].request += state.links[index].held
                Self.write(state.links[index].held, to: state.links[index].server)
                state.links[index].held = []
            }
            return
        }
        if state.links[index].isMute {
            if !state.links[index].held.isEmpty { state.links[index].held += bytes }
            return
        }
        if state.links[index].isAnswered {
            (state.links[index].request, state.links[index].isAnswered) = ([], false)
            state.starts.append(state.passed[.request, default: 0])
        }
        guard let kind = take(&state, .request, bytes.count) else { return pass(&state, index, bytes) }
        let first = Array(bytes.prefix(kind.count))
        bytes.removeFirst(kind.count)
        switch kind.kind {
        case .cut:
            pass(&state, index, first)
            close(state.links[index].client)
            state.links[index].client = -1
        case .late:
            pass(&state, index, first)
            state.links[index].isMute = true
            state.links[index].held = bytes
            state.giveUp?()
        case .pause:
            pass(&state, index, first)
            usleep(2_000)
            pass(&state, index, bytes)
        case .again:
            pass(&state, index, first)
            var broken = state.links[index]
            state.hasRepeatedCall = broken.isBusy
            // Its reply goes nowhere.
            broken.client = -1
            state.links.append(broken)
            guard let server = try? Self.socket(serverPath, binds: false) else { return }
            state.links[index].server = server
            Self.write(state.links[index].request, to: server)
            pass(&state, index, bytes)
        case .stale: pass(&state, index, first + bytes)
        }
    }

    private func pass(_ state: inout State, _ index: Int, _ bytes: [UInt8]) {
        state.links[index].request += bytes
        Self.write(bytes, to: state.links[index].server)
        guard !state.links[index].stale.isEmpty, Self.isComplete(state.links[index].request) else { return }
        Self.write(state.links[index].stale, to: state.links[index].client)
        (state.links[index].stale, state.links[index].isAnsweredTwice) = ([], true)
    }

    private func fromServer(_ state: inout State, _ index: Int) {
        let bytes = Self.read(state.links[index].server)
        state.links[index].isAnswered = true
        guard !bytes.isEmpty, !state.links[index].isAnsweredTwice else {
            if state.links[index].client >= 0 { close(state.links[index].client) }
            (state.links[index].client, state.links[index].isMute) = (-1, false)
            return
        }
        guard state.links[index].client >= 0, !state.links[index].isMute else { return }
        let client = state.links[index].client
        guard let kind = take(&state, .reply, bytes.count) else { return Self.write(bytes, to: client) }
        if kind.kind == .again {
            // In one write, so that the copy is not the answer to the next request, as for `stale`.
            return Self.write(Self.isComplete(bytes) ? bytes + bytes : bytes, to: client)
        }
        Self.write(Array(bytes.prefix(kind.count)), to: client)
        switch kind.kind {
        case .cut:
            close(client)
            state.links[index].client = -1
        case .late:
            state.links[index].isMute = true
            state.giveUp?()
        case .pause:
            usleep(2_000)
            Self.write(Array(bytes.dropFirst(kind.count)), to: client)
        case .again: break
        case .stale:
            Self.write(Array(bytes.dropFirst(kind.count)), to: client)
            if Self.isComplete(bytes) { state.links[index].stale = bytes }
        }
    }

    /// Counts bytes.
    ///
    /// - Returns: the fault, if it is in these bytes, and the number of those before it.
    private func take(
        _ state: inout State,
        _ direction: WireFault.Direction,
        _ count: Int
    ) -> (kind: WireFault.Kind, count: Int)? {
        let before = state.passed[direction, default: 0]
        state.passed[direction] = before + count
        guard let fault = state.fault, fault.direction == direction, fault.position <= before + count else {
            return nil
        }
        state.fault = nil
        return (fault.kind, fault.position - before)
    }

    // MARK: Bytes

    /// Whether these are a whole HTTP message.
    private static func isComplete(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes.prefix(2_048), as: Unicode.ASCII.self).lowercased()
        guard let head = text.firstRange(of: "\r\n\r\n"), let name = text.firstRange(of: "content-length:") else {
            return false
        }
        let digits = text[name.upperBound...].drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
        let start = text.unicodeScalars.distance(from: text.startIndex, to: head.upperBound)
        return Int(digits).map { bytes.count >= start + $0 } ?? false
    }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let flags = Int32(MSG_NOSIGNAL)
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            // The other side has closed, which the next poll shows.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func socket(_ path: String, binds: Bool) throws -> Int32 {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { throw RunFailure("the path of the socket is too long") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let length = socklen_t(MemoryLayout<sockaddr_un>.size)
                guard binds else { return Glibc.connect(descriptor, address, length) }
                let status = bind(descriptor, address, length)
                return status == 0 ? listen(descriptor, 64) : status
            }
        }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw RunFailure("socket \(path): \(code)")
        }
        return descriptor
    }
}
