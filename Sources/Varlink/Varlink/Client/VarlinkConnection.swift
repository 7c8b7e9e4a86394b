// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A blocking client for programs that make a few calls and exit: no thread, no event loop.
///
/// It makes one call at a time. After a `VarlinkClientError` the state of the exchange is unknown, so the connection
/// is closed and every later call throws `.closed`. After a `VarlinkError`, which the service sent, the connection
/// stays usable.
public final class VarlinkConnection {
    private enum Link: ~Copyable {
        case open(ClientSocket)
        case closed
    }

    private var link: Link
    private var replies: ReplyBuffer
    private let replyBytes: Int
    private let deadline: Duration?
    /// Called with true when a reply, or the first reply of a stream, has taken a second, and with false when that
    /// wait is over. A program can use this to show a status line.
    public var onDelay: ((_ isWaiting: Bool) -> Void)?

    /// - Parameters:
    ///   - deadline: the timeout for connecting, and for each call that has none of its own; nil waits forever.
    ///   - replyBytes: the limit of a reply.
    /// - Throws: `VarlinkClientError`.
    public init(path: String, deadline: Duration?, replyBytes: Int = 64 << 20) throws(VarlinkClientError) {
        link = .open(try ClientSocket(path: path, deadline: Deadline(after: deadline)))
        replies = ReplyBuffer(limit: replyBytes)
        self.replyBytes = replyBytes
        self.deadline = deadline
    }

    /// The user of the process that listens at the other end; nil if the kernel does not report it, or the connection
    /// is closed.
    public var peerUser: UInt32? {
        switch link {
        case .open(let socket): socket.peerUser
        case .closed: nil
        }
    }

    /// Closes the connection. The service cancels the calls that run on it.
    public func close() {
        link = .closed
    }

    /// Calls `method`, whose name includes its interface, and waits for its only reply.
    ///
    /// - Parameter members: the only members to keep of all objects in the reply, at any depth; nil for all. A long
    ///   list is then parsed in a fraction of the time. Type errors within the other members are not detected.
    /// - Throws: `VarlinkError` or `VarlinkClientError`.
    public func call(
        _ method: String,
        _ parameters: JSONObject = [:],
        onlyMembers members: Set<String>? = nil,
        deadline: Duration? = nil
    ) throws -> JSONObject {
        let due = Deadline(after: deadline ?? self.deadline)
        try send(method, parameters, flag: nil, due)
        return try receiveOnlyReply(due, onlyMembers: members).parameters
    }

    /// Calls `method` for any number of replies. Passes each to `onReply`, up to the last reply or until `onReply`
    /// stops.
    ///
    /// - Parameters:
    ///   - firstDeadline: the timeout for the first reply; nil takes `deadline`.
    ///   - deadline: the timeout for each reply; nil waits forever, which suits watching.
    ///   - output: the descriptor that `onReply` writes to. The stream ends when its reader has gone, without waiting
    ///     for the next reply.
    /// - Throws: the error of `onReply`, after closing the connection; `VarlinkError`; `VarlinkClientError`.
    public func stream(
        _ method: String,
        _ parameters: JSONObject = [:],
        firstDeadline: Duration? = nil,
        deadline: Duration? = nil,
        output: Int32? = nil,
        onReply: (JSONObject) throws -> VarlinkStreamDecision
    ) throws {
        try send(method, parameters, flag: "more", Deadline(after: self.deadline))
        var due = Deadline(after: firstDeadline ?? deadline)
        var isFirst = true
        while true {
            let reply: ClientReply
            do {
                reply = try receiveReply(due, output: output, isFirst: isFirst)
            } catch VarlinkClientError.readerGone {
                return
            }
            due = Deadline(after: deadline)
            isFirst = false
            do {
                let decision = try onReply(reply.parameters)
                guard reply.continues else { return }
                if decision == .stop { return close() }
            } catch {
                close()
                throw error
            }
        }
    }

    /// Calls `method` with the flag `upgrade`, sends `secrets` after the first reply, each after its length, and
    /// returns the second reply. Then the connection is closed, as the protocol requires.
    ///
    /// The secrets are sent from the caller's memory, without a copy in this process.
    public func callUpgraded(
        _ method: String,
        _ parameters: JSONObject = [:],
        secrets: [UnsafeRawBufferPointer],
        deadline: Duration? = nil
    ) throws -> JSONObject {
        let due = Deadline(after: deadline ?? self.deadline)
        try send(method, parameters, flag: "upgrade", due)
        _ = try receiveOnlyReply(due)
        defer { close() }
        for secret in secrets {
            try withUnsafeBytes(of: UInt32(secret.count).littleEndian) { length in try send(length, due) }
            try send(secret, due)
        }
        return try receiveOnlyReply(due).parameters
    }

    /// Sends a call frame that the caller has made, and receives the reply frame into the caller's memory. It is for
    /// calls that contain a secret: this process keeps no other copy of either frame.
    ///
    /// - Parameter frame: the frame with its NUL.
    /// - Returns: the length of the reply frame without its NUL. The reply can be an error, and may not be valid
    ///   JSON. After a failure, the content of the buffer is undefined.
    public func callUnbuffered(
        _ frame: UnsafeRawBufferPointer,
        into room: UnsafeMutableRawBufferPointer,
        deadline: Duration? = nil
    ) throws(VarlinkClientError) -> Int {
        let due = Deadline(after: deadline ?? self.deadline)
        try send(frame, due)
        return try withSocket { socket throws(VarlinkClientError) in
            var filled = 0
            while filled < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
                let received = try socket.receive(into: rest, deadline: due)
                if let end = rest[..<received].firstIndex(of: 0) {
                    guard end == received - 1 else { throw .malformed("more than one reply") }
                    return filled + end
                }
                filled += received
            }
            throw .tooLong(limit: room.count)
        }
    }
}

extension VarlinkConnection {
    private func send(
        _ method: String,
        _ parameters: JSONObject,
        flag: String?,
        _ deadline: Deadline?
    ) throws(VarlinkClientError) {
        var message: JSONObject = ["method": .string(method), "parameters": .object(parameters)]
        if let flag { message[flag] = true }
        var frame: [UInt8] = []
        message.serialize(into: &frame)
        frame.append(0)
        let outcome = frame.withUnsafeBytes { bytes in
            Result { () throws(VarlinkClientError) in try send(bytes, deadline) }
        }
        try outcome.get()
    }

    private func send(_ bytes: UnsafeRawBufferPointer, _ deadline: Deadline?) throws(VarlinkClientError) {
        try withSocket { socket throws(VarlinkClientError) in try socket.send(bytes, deadline: deadline) }
    }

    private func receiveFrame(
        _ deadline: Deadline?,
        output: Int32? = nil,
        notice: DelayNotice? = nil
    ) throws(VarlinkClientError) -> ArraySlice<UInt8> {
        try withSocket { [self] socket throws(VarlinkClientError) in
            while true {
                if let frame = try replies.nextFrame() { return frame }
                try replies.fill { room throws(VarlinkClientError) in
                    try socket.receive(into: room, output: output, notice: notice, deadline: deadline)
                }
            }
        }
    }

    /// Receives the reply of a call that has one.
    private func receiveOnlyReply(
        _ deadline: Deadline?,
        onlyMembers members: Set<String>? = nil
    ) throws -> ClientReply {
        let notice = onDelay.map(DelayNotice.init)
        defer { notice?.end() }
        return try parse(try receiveFrame(deadline, notice: notice), onlyMembers: members)
    }

    private func receiveReply(_ deadline: Deadline?, output: Int32?, isFirst: Bool) throws -> ClientReply {
        let notice = isFirst ? onDelay.map(DelayNotice.init) : nil
        defer { notice?.end() }
        return try parse(try receiveFrame(deadline, output: output, notice: notice))
    }

    private func parse(_ frame: ArraySlice<UInt8>, onlyMembers members: Set<String>? = nil) throws -> ClientReply {
        do {
            return try ClientReply(parsing: frame, limit: replyBytes, onlyMembers: members)
        } catch let error as VarlinkError {
            throw error
        } catch {
            close()
            throw VarlinkClientError.malformed("\(error)")
        }
    }

    /// Closes the connection if `body` fails, because the state of the exchange is unknown then.
    private func withSocket<T>(
        _ body: (borrowing ClientSocket) throws(VarlinkClientError) -> T
    ) throws(VarlinkClientError) -> T {
        let outcome: Result<T, VarlinkClientError>
        switch link {
        case .closed: throw .closed
        case .open(let socket):
            do throws(VarlinkClientError) {
                outcome = .success(try body(socket))
            } catch {
                outcome = .failure(error)
            }
        }
        if case .failure = outcome { close() }
        return try outcome.get()
    }
}

/// Calls with the types that `varlink-generate` generates. They throw `JSONShapeError` if a reply lacks a member, has
/// a member of another type, or has an enum value that the type does not know: the service then has another version
/// of the interface.
extension VarlinkConnection {
    /// Calls a method and waits for its only reply.
    ///
    /// - Throws: `VarlinkError`, `VarlinkClientError` or `JSONShapeError`.
    public func call<Call: VarlinkMethodCall>(_ call: Call, deadline: Duration? = nil) throws -> Call.Reply {
        try Call.Reply(json: try self.call(Call.method, call.json, deadline: deadline))
    }

    /// Calls a method for any number of replies. The parameters are those of the `stream` that takes a method name.
    public func stream<Call: VarlinkMethodCall>(
        _ call: Call,
        firstDeadline: Duration? = nil,
        deadline: Duration? = nil,
        output: Int32? = nil,
        onReply: (Call.Reply) throws -> VarlinkStreamDecision
    ) throws {
        try stream(
            Call.method,
            call.json,
            firstDeadline: firstDeadline,
            deadline: deadline,
            output: output
        ) { try onReply(try Call.Reply(json: $0)) }
    }

    /// Calls a method that takes secrets. The parameters are those of the `callUpgraded` that takes a method name.
    public func callUpgraded<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [UnsafeRawBufferPointer],
        deadline: Duration? = nil
    ) throws -> Call.Reply {
        try Call.Reply(json: try callUpgraded(Call.method, call.json, secrets: secrets, deadline: deadline))
    }
}

/// Whether the reader of a stream wants another reply.
public enum VarlinkStreamDecision: Sendable, Hashable {
    case next
    /// Closes the connection, which is the protocol's way to end a stream.
    case stop
}

/// The reason why a call got no reply. A reply that is an error is a `VarlinkError` instead.
public enum VarlinkClientError: Error, Hashable {
    /// Connecting to the path failed. ENOENT and ECONNREFUSED mean that no service runs.
    case noService(path: String, errno: Int32)
    /// The service at the path must not get a secret. The reason is a fragment of a sentence.
    case untrusted(path: String, reason: String)
    case deadlinePassed
    /// The reader of the caller's output has gone.
    case readerGone
    /// The service closed the connection, or it was closed after an earlier failure.
    case closed
    case malformed(String)
    /// A reply exceeds the limit, in bytes.
    case tooLong(limit: Int)
    case system(call: String, errno: Int32)
}

extension VarlinkClientError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    public var description: String {
        switch self {
        case .noService(let path, let errno): "no service at \(path) (errno \(errno))"
        case .untrusted(let path, let reason): "refusing to send a secret to \(path): \(reason)"
        case .deadlinePassed: "no answer in time"
        case .readerGone: "nobody reads the output any more"
        case .closed: "service closed the connection"
        case .malformed(let reason): "malformed reply: \(reason)"
        case .tooLong(let limit): "reply longer than \(limit) bytes"
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        }
    }
}
