// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHTTP1

/// Takes the place of NIO's encoder where heads are written by ourselves, as the first bytes of the body: they are always
/// the same but for a number or two. Heads still come by, for the other handlers of HTTP that look at them.
package final class ReadyHeadEncoder<Head: Equatable & Sendable>: ChannelOutboundHandler {
    package typealias OutboundIn = HTTPPart<Head, IOData>
    package typealias OutboundOut = IOData

    package init() {}

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .body(let bytes): context.write(wrapOutboundOut(bytes), promise: promise)
        case .head, .end: promise?.succeed()
        }
    }
}
