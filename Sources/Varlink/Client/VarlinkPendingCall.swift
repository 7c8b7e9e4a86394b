// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One call whose replies are taken as they come, for programs that wait for several things in a poll(2) of their own.
///
/// It has a connection to itself, which closes with this object.
public final class VarlinkPendingCall {
    private let socket: ClientSocket
    private var replies: ReplyBuffer
    private let replyBytes: Int
    private var isOver = false

    /// For poll(2): readable when `nextReply` has something to tell.
    public var descriptor: Int32 { socket.descriptor }

    /// Connects and sends the call, without waiting for anybody.
    ///
    /// - Parameters:
    ///   - wantsMore: asks for any number of replies.
    ///   - replyBytes: the longest reply taken.
    /// - Throws: `VarlinkClientError`; `deadlinePassed` where the service is too busy to let anybody in now.
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

    /// The next reply that has come. Never waits.
    ///
    /// - Returns: nil while there is none.
    /// - Throws: `VarlinkError` for a reply that is one; `VarlinkClientError`, of which `closed` also says that the last
    ///   reply was taken before. Nothing comes after an error.
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
