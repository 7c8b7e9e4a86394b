// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One call whose replies are read as they arrive, for programs that wait for several things in their own poll(2).
///
/// It has its own connection, which closes with this object.
public final class VarlinkPendingCall {
    private let socket: ClientSocket
    private var replies: ReplyBuffer
    private let replyBytes: Int
    private var isOver = false

    /// A descriptor for poll(2). It is readable when `nextReply` has a reply or an error.
    public var descriptor: Int32 { socket.descriptor }

    /// Connects and sends the call, without waiting for the service.
    ///
    /// - Parameters:
    ///   - wantsMore: requests any number of replies.
    ///   - replyBytes: the limit of a reply.
    /// - Throws: `VarlinkClientError`; `deadlinePassed` if the service's backlog is full.
    public init(
        path: String,
        method: String,
        parameters: JSONObject = [:],
        wantsMore: Bool = false,
        replyBytes: Int = 64 << 20
    ) throws(VarlinkClientError) {
        socket = try ClientSocket(path: path, deadline: Deadline(after: .zero))
        replies = ReplyBuffer(limit: replyBytes)
        self.replyBytes = replyBytes
        var message: JSONObject = ["method": .string(method), "parameters": .object(parameters)]
        if wantsMore { message["more"] = true }
        var frame: [UInt8] = []
        message.serialize(into: &frame)
        frame.append(0)
        let outcome = frame.withUnsafeBytes { bytes in
            Result { () throws(VarlinkClientError) in try socket.send(bytes, deadline: Deadline(after: .zero)) }
        }
        try outcome.get()
    }

    /// Returns the next reply that has arrived, without waiting.
    ///
    /// - Returns: nil if there is none yet.
    /// - Throws: `VarlinkError` for a reply that is one; `VarlinkClientError`. `closed` also follows after the last
    ///   reply. An error ends the replies.
    public func nextReply() throws -> JSONObject? {
        guard !isOver else { throw VarlinkClientError.closed }
        do {
            guard let frame = try nextFrame() else { return nil }
            let reply = try ClientReply(parsing: frame, limit: replyBytes)
            isOver = !reply.continues
            return reply.parameters
        } catch {
            isOver = true
            if error is VarlinkError || error is VarlinkClientError { throw error }
            throw VarlinkClientError.malformed("\(error)")
        }
    }

    private func nextFrame() throws(VarlinkClientError) -> ArraySlice<UInt8>? {
        while true {
            if let frame = try replies.nextFrame() { return frame }
            var isEmpty = false
            try replies.fill { room throws(VarlinkClientError) in
                let received = try socket.receiveNow(into: room)
                isEmpty = received == nil
                return received ?? 0
            }
            if isEmpty { return nil }
        }
    }
}
