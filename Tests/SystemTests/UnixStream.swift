// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport

/// A blocking connection to a Unix socket, for a peer that may violate any protocol.
final class UnixStream {
    struct Failure: Error {
        let call: String
        let errno: Int32
    }

    private let descriptor: Int32

    /// - Throws: `Failure`. Each later read and write waits at most ten seconds.
    init(path: String) throws {
        guard let address = UnixAddress(path: path) else { throw Failure(call: "path", errno: ENAMETOOLONG) }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let status = address.withSockaddr { connect(descriptor, $0, $1) }
        guard status == 0 else {
            let code = errno
            close(descriptor)
            throw Failure(call: "connect", errno: code)
        }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// - Returns: false if the peer has closed or does not read.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads at least one byte; returns none at the end.
    func receiveSome() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw Failure(call: "recv", errno: errno) }
        return Array(buffer.prefix(count))
    }

    /// Reads up to the first zero byte, or up to the end.
    func receiveFrame() throws -> [UInt8] { try receive { $0.last == 0 } }

    /// Reads until `isWhole`, or up to the end.
    func receive(until isWhole: ([UInt8]) throws -> Bool = { _ in false }) throws -> [UInt8] {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while try !isWhole(received) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(call: "recv", errno: errno) }
            if count == 0 { break }
            received += buffer.prefix(count)
        }
        return received
    }
}

extension Deployment {
    /// The number of bytes that another user gets from one of the sockets if only the check of its program is left.
    func bytesForOtherUser(at socket: String) async throws -> Int? {
        for name in ["", "run", "run/relativityd"] { chmod(home.path(of: name), 0o755) }
        chmod(socket, 0o666)
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            s.settimeout(10)
            try:
                s.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
                print(len(s.recv(99)))
            except ConnectionError:
                print(0)
            """
        let user = ["setpriv", "--reuid", "4321", "--regid", "4321", "--clear-groups"]
        return Int(try await Command(user + ["/usr/bin/python3", "-c", script, socket]).succeed().dropLast())
    }
}
