// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Collects the parts of a request, within limits, and passes it to the connection. Input after the request is
/// ignored.
final class HTTPRequestCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let connection: ConnectionHandler
    private let bodyBytes: Int
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isDone = false

    /// - Parameter bodyBytes: the limit of the body.
    init(_ connection: ConnectionHandler, bodyBytes: Int) {
        self.connection = connection
        self.bodyBytes = bodyBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            let announced = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
            guard announced <= bodyBytes else { return refuse(.tooLarge) }
            if head.headers.first(name: "Expect")?.lowercased() == "100-continue" { connection.askForBody() }
        case .body(let piece):
            guard body.count + piece.readableBytes <= bodyBytes else { return refuse(.tooLarge) }
            body += piece.readableBytesView
        case .end:
            guard let head else { return }
            isDone = true
            connection.receive(HTTPRequest(head, body: body))
            body = []
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isDone, error is HTTPParserError else { return context.fireErrorCaught(error) }
        refuse(error as? HTTPParserError == .headerOverflow ? .tooLarge : .malformed)
    }

    private func refuse(_ failure: HTTPFailure) {
        isDone = true
        connection.refuse(failure)
    }
}
