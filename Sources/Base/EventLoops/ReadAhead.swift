// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Keeps one read outstanding while a request is being answered. Must be the first handler of the pipeline.
///
/// NIO's HTTP handlers stop reading while they answer a request, so the channel would deregister from read events and
/// register again afterwards: two system calls for each request. With one read outstanding this happens only when a
/// client pipelines requests; the later handlers buffer those bytes.
package final class ReadAhead: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer

    private var isWanted = false
    private var isAhead = false

    /// Creates the handler for one connection.
    package init() {}

    package func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Issues the read that the channel would issue next. The later handlers decide whether it reaches `read`.
        isWanted = false
        context.pipeline.syncOperations.read()
        guard !isWanted, !isAhead else { return }
        isAhead = true
        context.read()
    }

    package func read(context: ChannelHandlerContext) {
        isWanted = true
        isAhead = false
        context.read()
    }
}
