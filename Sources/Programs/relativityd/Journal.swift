// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import Platform

/// An entry of systemd's journal in the form of its native protocol: fields of name and value, in one datagram.
struct JournalEntry {
    /// The limits keep an entry below the size that any socket buffer takes.
    static let maximumFields = 24
    static let maximumNameBytes = 64
    static let maximumValueBytes = 2_048

    private(set) var bytes: [UInt8] = []
    private var count = 0

    /// An entry with the fields of the journal itself.
    ///
    /// - Parameter priority: 0 to 7, as in syslog(3).
    init(priority: Int, message: String) {
        add("PRIORITY", "\(priority)")
        add("SYSLOG_IDENTIFIER", "relativityd")
        add("MESSAGE", message)
    }

    /// Adds a fact as the field `RELATIVITYD_` and its name. A name that the journal does not accept is changed.
    mutating func add(fact name: String, _ value: String) {
        let letters = name.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        add("RELATIVITYD_" + String(decoding: letters, as: UTF8.self), value)
    }

    /// Adds a field. A value that is too long is cut, and fields above the limit are left out.
    mutating func add(_ name: String, _ value: String) {
        guard count < Self.maximumFields else { return }
        count += 1
        let value = Self.cut(value)
        bytes += name.utf8.prefix(Self.maximumNameBytes)
        if value.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func cut(_ value: String) -> [UInt8] {
        let bytes = Array(value.utf8)
        guard bytes.count > maximumValueBytes else { return bytes }
        let mark = Array("…".utf8)
        var end = maximumValueBytes - mark.count
        // Not within a character.
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return bytes[..<end] + mark
    }
}

/// The socket of systemd's journal, for a process whose standard error is the journal.
final class Journal: Sendable {
    private static let path = "/run/systemd/journal/socket"

    private let address: UnixAddress
    private let descriptor: Int32
    /// The unit of this process. The journal finds it too, but not if the process has exited in the meantime.
    private let unit: String?
    private let dropped = Lock(0)

    /// Opens the socket.
    ///
    /// - Parameter path: the socket of the journal, another one in tests.
    /// - Returns: nil if standard error is something else, or if there is no journal.
    init?(_ environment: Environment, path: String = Journal.path) {
        guard Self.isStandardError(environment), access(path, W_OK) == 0, let address = UnixAddress(path: path) else {
            return nil
        }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let group = TextFile.read("/proc/self/cgroup", maximumBytes: 8 << 10) ?? ""
        let last = group.split(separator: "\n").last?.split(separator: "/").last
        unit = last.flatMap { $0.hasSuffix(".service") ? String($0) : nil }
    }

    deinit { close(descriptor) }

    /// Whether standard error is the stream that systemd has connected to the journal, and not something else that this
    /// process was started with later.
    static func isStandardError(_ environment: Environment) -> Bool {
        var facts = stat()
        guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }

    /// Sends an entry without waiting. If the journal does not keep up, the entry is dropped, and the next entry that
    /// is sent counts it.
    ///
    /// - Returns: false if there is no journal.
    func send(_ entry: JournalEntry) -> Bool {
        var entry = entry
        if let unit { entry.add("USER_UNIT", unit) }
        let missing = dropped.withLock { count in
            defer { count = 0 }
            return count
        }
        if missing > 0 { entry.add(fact: "dropped", "\(missing)") }
        let sent = address.withSockaddr { pointer, length in
            sendto(
                descriptor,
                entry.bytes,
                entry.bytes.count,
                Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL),
                pointer,
                length
            )
        }
        guard sent < 0 else { return true }
        let isFull = errno == EAGAIN || errno == ENOBUFS
        dropped.withLock { $0 += missing + (isFull ? 1 : 0) }
        return isFull
    }
}
