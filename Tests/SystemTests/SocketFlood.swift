// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport

/// Connections that send a request again and again. Half of them do not read the replies, the others read a byte each
/// second; or all read all replies, and connect again when the server has closed them.
struct SocketFlood {
    /// One process may have one more than this many at `relativityd-data`, and twice as many at the daemon.
    static let most = 15

    /// The path of the server's socket.
    let path: String
    let request: [UInt8]
    let connections: Int
    var readsReplies = false

    /// What became of the connections.
    struct Result {
        /// The largest growth of the server's private memory, in bytes.
        var growth = 0
        /// The number of connections that the server has closed.
        var closed = 0
        /// The latencies of another caller, in the order of its calls.
        var latencies: [Duration] = []

        /// The median of the 99th percentiles of five parts of the calls. What delays all programs of the machine for a
        /// moment concerns few of the parts.
        var p99: Duration {
            let size = max(1, (latencies.count + 4) / 5)
            let percentiles = stride(from: 0, to: latencies.count, by: size).map { start in
                let part = latencies[start..<min(start + size, latencies.count)].sorted()
                return part[part.count * 99 / 100]
            }
            return percentiles.isEmpty ? .zero : percentiles.sorted()[percentiles.count / 2]
        }
    }

    private final class Client {
        let descriptor: Int32
        var sent = 0
        var isClosed = false

        init(_ path: String) throws {
            guard let address = UnixAddress(path: path) else { throw UnixStream.Failure(call: "path", errno: EINVAL) }
            descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let status = address.withSockaddr { connect(descriptor, $0, $1) }
            guard status == 0 else { throw UnixStream.Failure(call: "connect", errno: errno) }
        }

        deinit { close(descriptor) }

        /// Sends as much as the kernel takes, up to 1 MiB.
        func send(_ request: [UInt8]) {
            for _ in 0..<max(1, (1 << 20) / request.count) where !isClosed {
                let count = request[sent...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                }
                guard count >= 0 else {
                    isClosed = errno != EAGAIN
                    return
                }
                sent = (sent + count) % request.count
            }
        }

        /// Reads at most this many of the bytes that have arrived.
        func read(_ most: Int) {
            let count = withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) {
                recv(descriptor, $0.baseAddress, most, Int32(MSG_DONTWAIT))
            }
            if count == 0 || count < 0 && errno != EAGAIN { isClosed = true }
        }
    }

    /// Floods for a time, or until all connections are closed. Blocks.
    ///
    /// - Parameters:
    ///   - pid: the server's process.
    ///   - call: a call of another caller.
    func run(for time: Duration, pid: Int, call: () throws -> Void) throws -> Result {
        var result = Result()
        let before = try Self.memory(of: pid)
        var clients = try (0..<connections).map { _ in try Client(path) }
        let end = ContinuousClock.now + time
        var nextByte = ContinuousClock.now
        while ContinuousClock.now < end, !clients.allSatisfy(\.isClosed) {
            for client in clients where !client.isClosed { client.send(request) }
            if readsReplies {
                for (index, client) in clients.enumerated() {
                    client.read(64 << 10)
                    if client.isClosed { clients[index] = try Client(path) }
                }
            } else if nextByte <= .now {
                nextByte += .seconds(1)
                for client in clients[..<(clients.count / 2)] { client.read(1) }
            }
            for _ in 0..<10 { result.latencies.append(try ContinuousClock().measure(call)) }
            result.growth = max(result.growth, try Self.memory(of: pid) - before)
            usleep(10_000)
        }
        result.closed = clients.count { $0.isClosed }
        return result
    }

    /// Calls without a flood, as often as `run` does.
    static func unloaded(_ call: () throws -> Void) throws -> Duration {
        var result = Result()
        for _ in 0..<1_000 { result.latencies.append(try ContinuousClock().measure(call)) }
        return result.p99
    }

    private static func memory(of pid: Int) throws -> Int {
        try PrivateMemory.bytes(in: TextFile.text(of: "/proc/\(pid)/smaps_rollup"))
    }
}
