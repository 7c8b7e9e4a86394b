// SPDX-License-Identifier: Apache-2.0

import Glibc

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
