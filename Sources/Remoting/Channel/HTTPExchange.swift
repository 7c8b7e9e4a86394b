// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// One request and the promise of its reply.
struct HTTPExchange: Sendable {
    /// As it goes out, head and body: the parts follow each other.
    let request: [ByteBuffer]
    let room: ReplyRoom
    /// For the whole reply, or for the first bytes of one that comes in pieces; the connection is closed then.
    let deadline: NIODeadline
    let reply: EventLoopPromise<HTTPReply>
}

/// How much of a reply's body is taken, and how.
enum ReplyRoom: Sendable {
    /// In one, at most so many bytes.
    case whole(Int)
    /// As `whole`, of a reply that may repeat a secret: nothing of it stays behind in memory but the collected body.
    case wiped(Int)
    /// In one where it is short, else as it comes, however much that is.
    case pieces

    /// The reply may repeat a secret.
    var isWiped: Bool {
        if case .wiped = self { true } else { false }
    }

    /// The most bytes of a body, if there is a limit.
    var limit: Int? {
        switch self {
        case .whole(let limit), .wiped(let limit): limit
        case .pieces: nil
        }
    }
}

/// A reply with its body, or with the first bytes of it.
struct HTTPReply: Sendable {
    let status: Int
    /// The head as it came, of a reply that may repeat a secret.
    var head: ByteBuffer?
    /// Bytes of the body, if the server said it.
    let announced: Int?
    let body: ByteBuffer
    /// The server lets the connection be used again.
    let keepsConnection: Bool
    /// Nil where `body` is all.
    var rest: ArrivingBody?
}

/// The connection closed before the first byte of a reply: on a kept connection, the server may never have seen the request.
struct ClosedBeforeReply: Error {}
