// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1

/// Where a connection is in its one exchange at a time.
struct ExchangeState {
    enum Action: Equatable {
        case wait
        case finish(HTTPReply)
        /// The connection is of no use afterwards.
        case fail(RemotingError)
    }

    private enum Phase {
        case idle
        case sent
        case receiving(HTTPResponseHead, body: ByteBuffer, announced: Int?)
    }

    private static let locationLimit = 256

    private var bodyLimit = 0
    private var phase = Phase.idle

    /// A request is out and nothing of its reply has come.
    var awaitsReply: Bool {
        if case .sent = phase { true } else { false }
    }

    mutating func requestSent(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
        phase = .sent
    }

    mutating func received(_ head: HTTPResponseHead) -> Action {
        guard awaitsReply else { return .fail(.malformed(reason: "a reply without a request")) }
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
        if let announced, announced > bodyLimit { return .fail(.tooLarge(limit: bodyLimit)) }
        phase = .receiving(head, body: ByteBuffer(), announced: announced)
        return .wait
    }

    mutating func received(_ bytes: ByteBuffer) -> Action {
        guard case .receiving(let head, var body, let announced) = phase else { return .wait }
        guard body.readableBytes + bytes.readableBytes <= bodyLimit else { return .fail(.tooLarge(limit: bodyLimit)) }
        // Otherwise the phase shares the body's storage, and each part would copy all before it.
        phase = .idle
        body.collect(bytes, of: announced)
        phase = .receiving(head, body: body, announced: announced)
        return .wait
    }

    mutating func receivedEnd() -> Action {
        guard case .receiving(let head, let body, _) = phase else { return .wait }
        phase = .idle
        return .finish(
            HTTPReply(
                status: Int(head.status.code),
                headers: head.headers,
                body: body,
                keepsConnection: head.isKeepAlive
            )
        )
    }
}
