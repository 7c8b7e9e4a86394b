// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

extension ConnectionHandler {
    /// Whether a connection that begins with this byte speaks HTTP: its methods are upper case, and a JSON object begins
    /// otherwise.
    static func isHTTP(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// From here on the connection takes one request of HTTP.
    ///
    /// - Parameter bytes: what has been read of it.
    func speakHTTP(_ face: HTTPFace, after bytes: ByteBuffer, context: ChannelHandlerContext) {
        http = HTTPConversation(face)
        updateClock()
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = server.limits.headBytes
        limits.maxHeaderListSize = server.limits.headBytes
        limits.maxHeaderFieldCount = server.limits.headFields
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        )
        let collector = HTTPRequestCollector(self, bodyBytes: server.limits.frameBytes)
        do {
            try context.pipeline.syncOperations.addHandlers([decoder, collector], position: .before(self))
        } catch {
            return close()
        }
        context.pipeline.fireChannelRead(bytes)
    }

    /// The client wants to be asked for the body before it sends one.
    func askForBody() {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    }

    func receive(_ request: HTTPRequest) {
        guard let http, !isClosing else { return }
        if let answer = http.receive(request, methods: server.methods, limits: server.limits) {
            sendLast(answer)
        } else {
            dispatch()
        }
    }

    func refuse(_ failure: HTTPFailure) {
        guard let http, !isClosing else { return }
        sendLast(http.fail(failure))
    }

    private func sendLast(_ bytes: [UInt8]) {
        guard let context else { return }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
        closeWhenFlushed()
    }
}
