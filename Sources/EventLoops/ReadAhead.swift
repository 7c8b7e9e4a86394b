// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Reads once more from a connection than the handlers behind it ask for. Comes first in the pipeline.
///
/// While a request is being answered HTTP's handlers ask for no further one. NIO would tell the kernel so, and the opposite
/// after the answer: two system calls for each request of a caller who sends nothing meanwhile anyway. What one who does
/// has sent is held by the handlers behind, and then the kernel is told.
package final class ReadAhead: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer

    private var isWanted = false
    private var isAhead = false

    package init() {}

    package func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // As the channel would ask by itself next: whether it is wanted, the handlers behind decide.
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
