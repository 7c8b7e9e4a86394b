// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHTTP1

/// Takes the place of NIO's encoder where heads are written by ourselves, as the first bytes of the body: they are always
/// the same but for a number or two. Heads still come by, for the other handlers of HTTP that look at them.
package final class ReadyHeadEncoder<Head: Equatable & Sendable>: ChannelOutboundHandler {
    package typealias OutboundIn = HTTPPart<Head, IOData>
    package typealias OutboundOut = IOData

    private let text: @Sendable (Head) -> ByteBuffer?

    /// - Parameter text: of heads that are written here after all, because no body follows them.
    package init(_ text: @escaping @Sendable (Head) -> ByteBuffer? = { _ in nil }) {
        self.text = text
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(let bytes): context.write(wrapOutboundOut(bytes), promise: promise)
        case .head(let head):
            guard let text = text(head) else {
                promise?.succeed()
                return
            }
            context.write(wrapOutboundOut(.byteBuffer(text)), promise: promise)
        case .end: promise?.succeed()
        }
    }
}
