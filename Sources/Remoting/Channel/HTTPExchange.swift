// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// One request and the promise of its reply.
struct HTTPExchange: Sendable {
    /// As it goes out, head and body: the parts follow each other.
    let request: [ByteBuffer]
    /// Bytes of the reply's body that are taken.
    let limit: Int
    /// For the whole reply; the connection is closed then.
    let deadline: NIODeadline
    let reply: EventLoopPromise<HTTPReply>
}

/// A reply with its whole body.
struct HTTPReply: Equatable, Sendable {
    let status: Int
    var headers = HTTPHeaders()
    let body: ByteBuffer
    /// The server lets the connection be used again.
    let keepsConnection: Bool
}

/// The connection closed before the first byte of a reply: on a kept connection, the server may never have seen the request.
struct ClosedBeforeReply: Error {}
