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
