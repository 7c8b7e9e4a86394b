// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON

/// A connected, non-blocking Unix socket on which every wait has a deadline.
struct ClientSocket: ~Copyable {
    let descriptor: Int32

    init(path: String, deadline: Deadline?) throws(VarlinkClientError) {
        descriptor = try Self.connect(path: path, deadline: deadline)
    }

    deinit {
        close(descriptor)
    }

    private static func connect(path: String, deadline: Deadline?) throws(VarlinkClientError) -> Int32 {
        guard let address = UnixAddress(path) else { throw .noService(path: path, errno: ENAMETOOLONG) }
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let descriptor = socket(AF_UNIX, Int32(flags), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        while address.connect(descriptor) != 0 {
            let error = errno
            let isWorthWaiting = error == EAGAIN || error == EINTR
            guard isWorthWaiting, deadline?.remaining != 0 else {
                close(descriptor)
                throw isWorthWaiting ? .deadlinePassed : .noService(path: path, errno: error)
            }
            // The backlog is full. Linux has no event for that, so retry soon.
            poll(nil, 0, min(10, deadline?.remaining ?? 10))
        }
        return descriptor
    }

    /// The user of the process that listens at the other end (SO_PEERCRED); nil if the kernel does not report it.
    var peerUser: uid_t? {
        // struct ucred, which the module Glibc does not export: process, user and group.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        let whole = length
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, length == whole else {
            return nil
        }
        return credentials[1]
    }

    func send(_ bytes: UnsafeRawBufferPointer, deadline: Deadline?) throws(VarlinkClientError) {
        var rest = bytes
        while !rest.isEmpty {
            let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            if sent >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
            } else {
                try wait(for: POLLOUT, after: "send", deadline: deadline)
            }
        }
    }

    /// - Parameters:
    ///   - output: a descriptor. If its reader has gone, the wait ends with `readerGone`.
    ///   - notice: reported while waiting.
    /// - Returns: the number of bytes that were received; never 0.
    func receive(
        into buffer: UnsafeMutableRawBufferPointer,
        output: Int32? = nil,
        notice: DelayNotice? = nil,
        deadline: Deadline?
    ) throws(VarlinkClientError) -> Int {
        while true {
            let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if received > 0 { return received }
            guard received < 0 else { throw .closed }
            try wait(for: POLLIN, after: "recv", output: output, notice: notice, deadline: deadline)
        }
    }

    /// - Returns: the number of bytes that were received; nil if there are none yet.
    func receiveNow(into buffer: UnsafeMutableRawBufferPointer) throws(VarlinkClientError) -> Int? {
        while true {
            let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if received > 0 { return received }
            guard received < 0 else { throw .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case ECONNRESET: throw .closed
            case let error: throw .system(call: "recv", errno: error)
            }
        }
    }

    /// Decides by `errno` whether a failed call can be retried, and waits until then.
    private func wait(
        for events: Int32,
        after call: String,
        output: Int32? = nil,
        notice: DelayNotice? = nil,
        deadline: Deadline?
    ) throws(VarlinkClientError) {
        switch errno {
        case EINTR: return
        case EAGAIN: break
        case EPIPE, ECONNRESET: throw .closed
        case let error: throw .system(call: call, errno: error)
        }
        var entries = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            // poll(2) reports errors without being asked, and ignores a negative descriptor.
            pollfd(fd: output ?? -1, events: 0, revents: 0),
        ]
        while true {
            let waits = [deadline?.remaining ?? -1, notice?.remaining ?? -1].filter { $0 >= 0 }
            let ready = poll(&entries, 2, waits.min() ?? -1)
            let error = errno
            if entries[0].revents != 0 { return }
            if ready > 0 { throw .readerGone }
            if ready == 0 {
                guard deadline?.remaining != 0 else { throw .deadlinePassed }
                notice?.check()
                continue
            }
            guard error == EINTR else { throw .system(call: "poll", errno: error) }
        }
    }
}

/// Splits the received bytes into frames.
struct ReplyBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    private var end = 0
    /// There is no NUL before this offset.
    private var scanned = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The next frame without its NUL; nil if more bytes must be read.
    mutating func nextFrame() throws(VarlinkClientError) -> ArraySlice<UInt8>? {
        let found = bytes.withUnsafeBytes { storage -> Int? in
            guard let base = storage.baseAddress, scanned < end else { return nil }
            return memchr(base + scanned, 0, end - scanned).map { UnsafeRawPointer($0) - base }
        }
        guard let found else {
            scanned = end
            guard end - start <= limit else { throw .tooLong(limit: limit) }
            return nil
        }
        guard found - start <= limit else { throw .tooLong(limit: limit) }
        defer {
            start = found + 1
            scanned = start
        }
        return bytes[start..<found]
    }

    /// Makes space in the buffer and lets `body` fill it. `body` returns the number of bytes that it wrote.
    mutating func fill(
        _ body: (UnsafeMutableRawBufferPointer) throws(VarlinkClientError) -> Int
    ) throws(VarlinkClientError) {
        if start > 0 {
            bytes.removeSubrange(..<start)
            end -= start
            scanned -= start
            start = 0
        }
        if bytes.count - end < 16_384 {
            bytes.append(contentsOf: repeatElement(0, count: max(65_536, bytes.count) - (bytes.count - end)))
        }
        let outcome = bytes.withUnsafeMutableBytes { storage in
            Result { () throws(VarlinkClientError) in
                try body(UnsafeMutableRawBufferPointer(rebasing: storage[end...]))
            }
        }
        end += try outcome.get()
    }
}

/// A reply frame that a client received.
struct ClientReply {
    let parameters: JSONObject
    let continues: Bool

    /// - Parameter members: the only members of a successful reply to keep; nil for all.
    /// - Throws: `VarlinkError` if the reply is an error, another error if the frame is malformed.
    init(parsing frame: ArraySlice<UInt8>, limit: Int, onlyMembers members: Set<String>? = nil) throws {
        let limits = JSONLimits(bytes: limit, values: limit)
        let value: JSONValue
        if let members, !Self.mayBeError(frame) {
            value = try frame.withUnsafeBytes { bytes in
                try JSONValue(parsing: bytes, limits: limits, onlyMembers: members.union(["parameters", "continues"]))
            }
        } else {
            value = try JSONValue(parsing: frame, limits: limits)
        }
        guard let message = value.objectValue else { throw JSONShapeError(path: "", expected: .object) }
        parameters = try message.optionalObject("parameters") ?? [:]
        continues = try message.optionalBool("continues") ?? false
        if let name = try message.optionalString("error") { throw VarlinkError(name, parameters) }
    }

    /// False only if the frame has no member "error" at any depth. The check is cheap even for megabytes.
    private static func mayBeError(_ frame: ArraySlice<UInt8>) -> Bool {
        let key: StaticString = "\"error\""
        let length = key.utf8CodeUnitCount
        return frame.withUnsafeBytes { bytes in
            var rest = bytes
            while rest.count >= length, let base = rest.baseAddress, let quote = memchr(base, 0x22, rest.count) {
                let offset = UnsafeRawPointer(quote) - base
                guard rest.count - offset >= length else { return false }
                if memcmp(quote, key.utf8Start, length) == 0 { return true }
                rest = UnsafeRawBufferPointer(rebasing: rest[(offset + 1)...])
            }
            return false
        }
    }
}

/// A time on the monotonic clock, for poll(2).
struct Deadline {
    private let milliseconds: Int64

    /// - Returns: nil, which means no deadline, if `duration` is nil or too long for the clock.
    init?(after duration: Duration?) {
        guard let duration else { return nil }
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return nil }
        // Rounded up, so that a wait is never shorter than requested.
        let wait = product.addingReportingOverflow((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        let due = Self.now.addingReportingOverflow(max(0, wait.partialValue))
        guard !wait.overflow, !due.overflow else { return nil }
        milliseconds = due.partialValue
    }

    /// The timeout for poll(2) in milliseconds: 0 when the deadline has passed, at most `Int32.max`.
    var remaining: Int32 {
        Int32(clamping: max(0, milliseconds - Self.now))
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Reports once that a reply takes longer than a second, and then that the wait is over.
final class DelayNotice {
    private static let patience = Duration.seconds(1)

    private let due = Deadline(after: DelayNotice.patience)
    private let tell: (Bool) -> Void
    private var isTold = false

    /// Makes a notice, whose argument is called with true when a wait becomes long, and with false when such a wait
    /// ends.
    init(_ tell: @escaping (Bool) -> Void) {
        self.tell = tell
    }

    /// The timeout for poll(2) in milliseconds until `check` must be called; -1 for none.
    var remaining: Int32 { isTold ? -1 : due?.remaining ?? -1 }

    func check() {
        guard !isTold, due?.remaining == 0 else { return }
        isTold = true
        tell(true)
    }

    /// Call at the end of the wait, whatever its result.
    func end() {
        if isTold { tell(false) }
    }
}

/// The address of a Unix socket file.
package struct UnixAddress {
    private let address: sockaddr_un

    /// - Returns: nil if the path is empty, contains a NUL, or exceeds 107 bytes.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
    }

    /// Calls bind(2), which sets `errno`.
    package func bind(_ descriptor: Int32) -> Int32 {
        withSocketAddress { Glibc.bind(descriptor, $0, $1) }
    }

    /// Calls connect(2), which sets `errno`.
    package func connect(_ descriptor: Int32) -> Int32 {
        withSocketAddress { Glibc.connect(descriptor, $0, $1) }
    }

    private func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
