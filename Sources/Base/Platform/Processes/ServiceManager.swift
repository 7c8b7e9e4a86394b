// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Notifications to the service manager (sd_notify(3)), without libsystemd.
package struct ServiceNotification: Sendable {
    /// A state to report.
    package enum Message: Sendable, Hashable {
        case ready
        case stopping
        case watchdog
        /// One line for `systemctl status`; line breaks in it become spaces.
        case status(String)

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .watchdog: "WATCHDOG=1"
            case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
            }
        }
    }

    private let address: UnixAddress?
    /// The longest time that the manager allows between two `watchdog` messages; nil if it does not watch this
    /// process.
    package let watchdogInterval: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_PID` and `WATCHDOG_USEC`.
    package init(_ environment: Environment, processID: Int32 = getpid()) {
        address = environment["NOTIFY_SOCKET"].flatMap { UnixAddress(path: $0) }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(processID)" } ?? true
        let interval = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 0 ? $0 : nil }
        watchdogInterval = isForUs ? interval.map { .microseconds($0) } : nil
    }

    /// Sends messages to the manager. Does nothing if there is none.
    ///
    /// - Throws: `PlatformError.system` if the manager's socket does not accept them.
    package func send(_ messages: Message...) throws(PlatformError) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", subject: "NOTIFY_SOCKET", errno: errno) }
        defer { close(descriptor) }
        let text = Array(messages.map(\.text).joined(separator: "\n").utf8)
        let sent = address.withSockaddr { pointer, length in
            sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), pointer, length)
        }
        guard sent == text.count else { throw .system(call: "sendto", subject: "NOTIFY_SOCKET", errno: errno) }
    }
}

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

        /// The path that the Unix socket is bound to; nil if it is another kind of socket.
        package var path: String? {
            var address = sockaddr_un()
            var length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
            let path = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
            return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
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
