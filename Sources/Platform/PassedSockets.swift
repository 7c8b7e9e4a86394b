// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The descriptors that systemd's socket activation passed to this process (sd_listen_fds(3)).
package struct PassedSockets: Sendable, Hashable {
    /// A descriptor and its `FileDescriptorName=`, which is `unknown` if systemd gave none.
    package struct Socket: Sendable, Hashable {
        /// The number of the descriptor.
        package let descriptor: Int32
        /// The name that the socket unit gives it.
        package let name: String

        /// A socket with these values.
        package init(descriptor: Int32, name: String) {
            (self.descriptor, self.name) = (descriptor, name)
        }
    }

    /// In the order in which they were passed.
    package let sockets: [Socket]

    private static let first: Int32 = 3
    private static let maximum = 64
    private static let maximumWaiting = 4_096

    /// Empty unless `LISTEN_PID` is this process and `LISTEN_FDS` a number from 1 to 64.
    package init(_ environment: Environment, processID: Int32 = getpid()) {
        guard environment["LISTEN_PID"].flatMap(Int32.init) == processID,
            let count = environment["LISTEN_FDS"].flatMap(Int.init),
            (1...Self.maximum).contains(count)
        else {
            sockets = []
            return
        }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        sockets = (0..<count).map { index in
            let name = index < names.count && !names[index].isEmpty ? String(names[index]) : "unknown"
            return Socket(descriptor: Self.first + Int32(index), name: name)
        }
    }

    /// These sockets, for tests.
    package init(_ sockets: [Socket]) {
        self.sockets = sockets
    }

    /// Sets close-on-exec, so that helper programs do not inherit the descriptors.
    package func closeOnExec() throws(PlatformError) {
        for socket in sockets where fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) != 0 {
            throw .system(call: "fcntl", subject: socket.name, errno: errno)
        }
    }
    /// Closes the connections that wait on the sockets. If the process exits without serving them, systemd would
    /// otherwise start it again for them immediately.
    package func endWaitingConnections() {
        for socket in sockets {
            guard fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) == 0 else { continue }
            // Bounded, because clients may connect as fast as their connections are closed.
            for _ in 0..<Self.maximumWaiting {
                let connection = accept(socket.descriptor, nil, nil)
                guard connection >= 0 else { break }
                close(connection)
            }
        }
    }
}
