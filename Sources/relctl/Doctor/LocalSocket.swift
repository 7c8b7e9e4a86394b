// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A connection to a Unix socket, to see whether anybody is there.
struct LocalSocket: ~Copyable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Calls `body` and closes again.
    ///
    /// - Returns: 0, or the errno of why there is no connection. Never waits.
    static func connect(to path: String, _ body: (borrowing LocalSocket) -> Void = { _ in }) -> Int32 {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { return errno }
        let connection = LocalSocket(descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return ENAMETOOLONG }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // A full queue of connections is one of somebody who does not take them.
        guard result == 0 || errno == EAGAIN else { return errno }
        body(connection)
        return 0
    }

    /// The process that listened when the connection was made; nil where the kernel does not tell.
    var peer: Int32? {
        // The kernel's struct ucred, which Swift's Glibc does not show: process, user and group.
        var credentials: [Int32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, credentials[0] > 0 else {
            return nil
        }
        return credentials[0]
    }

    /// Whether anything comes back for a text.
    borrowing func answers(_ text: String, withinMilliseconds patience: Int32) -> Bool {
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return false }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, patience) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) == 1
    }
}
