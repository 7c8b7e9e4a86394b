// SPDX-License-Identifier: Apache-2.0

import Glibc
import Varlink

/// Creates a socket at a path, with access for its owner only.
enum ListeningSocket {
    /// Binds and listens. A stale socket file, whose server is gone, is replaced.
    ///
    /// - Returns: a descriptor that the caller owns.
    static func open(path: String, backlog: Int32 = 128) throws(VarlinkServerError) -> Int32 {
        guard let address = UnixAddress(path) else { throw .unusablePath(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        do throws(VarlinkServerError) {
            // Linux gives the file the mode of the socket: unlike a umask, this touches no other thread, and there is
            // no moment at which others could connect.
            guard fchmod(descriptor, 0o600) == 0 else { throw .system(call: "fchmod", errno: errno) }
            if address.bind(descriptor) != 0 {
                guard errno == EADDRINUSE else { throw .system(call: "bind", errno: errno) }
                try removeStaleSocket(address, path: path)
                guard address.bind(descriptor) == 0 else { throw .system(call: "bind", errno: errno) }
            }
            guard Glibc.listen(descriptor, backlog) == 0 else { throw .system(call: "listen", errno: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func removeStaleSocket(_ address: UnixAddress, path: String) throws(VarlinkServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system(call: "lstat", errno: errno) }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let probe = socket(AF_UNIX, Int32(flags), 0)
        guard probe >= 0 else { throw .system(call: "socket", errno: errno) }
        defer { close(probe) }
        // If the backlog is full (EAGAIN), a server is there as well.
        guard address.connect(probe) != 0, errno == ECONNREFUSED else { throw .alreadyServed(path: path) }
        guard unlink(path) == 0 else { throw .system(call: "unlink", errno: errno) }
    }
}
