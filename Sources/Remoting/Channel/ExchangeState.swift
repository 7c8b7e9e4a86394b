// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1

/// Where a connection is in its one exchange at a time.
struct ExchangeState {
    enum Action {
        case wait
        case finish(HTTPReply)
        /// More of the body comes as pieces.
        case begin(HTTPReply)
        case pass(ByteBuffer)
        case end(keepsConnection: Bool)
        /// The connection is of no use afterwards.
        case fail(RemotingError)
    }

    private enum Phase {
        case idle
        case sent(ReplyRoom)
        case receiving(HTTPResponseHead, body: ByteBuffer, announced: Int?, ReplyRoom)
        case passing(keepsConnection: Bool)
    }

    /// As much is awaited before a reply is taken for one that comes in pieces.
    static let firstBytes = 64 << 10
    private static let locationLimit = 256

    private var phase = Phase.idle

    /// A request is out and nothing of its reply has come.
    var awaitsReply: Bool {
        if case .sent = phase { true } else { false }
    }

    mutating func requestSent(_ room: ReplyRoom) {
        phase = .sent(room)
    }

    /// Overwrites what has come of a reply that may repeat a secret and will not be finished.
    mutating func wipe() {
        guard case .receiving(_, let body, _, .wiped) = phase else { return }
        body.wipeSharedStorage()
    }

    mutating func received(_ head: HTTPResponseHead) -> Action {
        guard case .sent(let room) = phase else { return .fail(.malformed(reason: "a reply without a request")) }
        guard head.status.mayHaveResponseBody, head.status.code >= 200 else {
            return .fail(.httpStatus(Int(head.status.code)))
        }
        guard !(300..<400).contains(head.status.code) else {
            let location = head.headers.first(name: "location") ?? ""
            return .fail(
                .redirected(
                    status: Int(head.status.code),
                    location: String(decoding: location.utf8.prefix(Self.locationLimit), as: UTF8.self)
                )
            )
        }
        let announced = head.headers.first(name: "content-length").flatMap { Int($0) }
        if let announced, let limit = room.limit, announced > limit { return .fail(.tooLarge(limit: limit)) }
        phase = .receiving(head, body: ByteBuffer(), announced: announced, room)
        return .wait
    }

    mutating func received(_ bytes: ByteBuffer) -> Action {
        if case .passing = phase { return .pass(bytes) }
        guard case .receiving(let head, var body, let announced, let room) = phase else { return .wait }
        if let limit = room.limit, body.readableBytes + bytes.readableBytes > limit {
            if room.isWiped { bytes.wipeReadableBytes() }
            return .fail(.tooLarge(limit: limit))
        }
        // Otherwise the phase shares the body's storage, and each part would copy all before it.
        phase = .idle
        if room.isWiped { body.collectWiping(bytes, of: announced) } else { body.collect(bytes, of: announced) }
        if case .pieces = room, body.readableBytes >= Self.firstBytes {
            phase = .passing(keepsConnection: head.isKeepAlive)
            return .begin(Self.reply(head, body, announced))
        }
        phase = .receiving(head, body: body, announced: announced, room)
        return .wait
    }

    mutating func receivedEnd() -> Action {
        switch phase {
        case .receiving(let head, let body, let announced, _):
            phase = .idle
            return .finish(Self.reply(head, body, announced))
        case .passing(let keepsConnection):
            phase = .idle
            return .end(keepsConnection: keepsConnection)
        case .idle, .sent:
            return .wait
        }
    }

    private static func reply(_ head: HTTPResponseHead, _ body: ByteBuffer, _ announced: Int?) -> HTTPReply {
        HTTPReply(
            status: Int(head.status.code),
            announced: announced,
            body: body,
            keepsConnection: head.isKeepAlive
        )
    }
}
