// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A peer that may violate the protocol.
final class RawPeer {
    struct Failure: Error {
        let call: String
        let errno: Int32
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw Failure(call: "connect", errno: errno) }
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// - Returns: false if the server has closed.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool {
        send(Array(text.utf8) + [0])
    }

    /// Sends as much as the kernel takes now.
    ///
    /// - Returns: the number of bytes; nil if the server has closed.
    func sendSome(_ bytes: some Collection<UInt8>) -> Int? {
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        let count = Array(bytes).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
        guard count < 0 else { return count }
        return errno == EAGAIN ? 0 : nil
    }

    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next bytes, or fewer when the server closes.
    func receive(count: Int) throws -> String {
        while received.count < count, case let piece = try receivePiece(), !piece.isEmpty { received += piece }
        defer { received.removeFirst(min(count, received.count)) }
        return String(decoding: received.prefix(count), as: UTF8.self)
    }

    /// Reads until the server closes.
    func receiveAll() throws -> String {
        var all = received
        received = []
        while true {
            let piece = try receivePiece()
            guard !piece.isEmpty else { return String(decoding: all, as: UTF8.self) }
            all += piece
        }
    }

    /// Returns the next frame without its NUL; nil if the server has closed.
    ///
    /// - Throws: `Failure` if neither happens within ten seconds.
    func receive() throws -> String? {
        while true {
            if let end = received.firstIndex(of: 0) {
                let frame = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                return frame
            }
            let piece = try receivePiece()
            guard !piece.isEmpty else { return nil }
            received += piece
        }
    }

    /// Returns no bytes if the server has closed.
    private func receivePiece() throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count >= 0 || errno == ECONNRESET else { throw Failure(call: "recv", errno: errno) }
        return Array(piece.prefix(max(0, count)))
    }
}
