// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOPosix
import Platform

/// Reports changes of the machine's network, such as a cable, a wireless network or an address. The first change is
/// reported immediately, further ones at most every ten seconds, however many messages the kernel sends.
final class NetworkWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private static let pause = TimeAmount.seconds(10)
    private static let mostAtOnce: UInt = 4_096

    private let changed: @Sendable () -> Void
    private var isTold = false

    private init(_ changed: @escaping @Sendable () -> Void) {
        self.changed = changed
    }

    /// - Parameter changed: called on `loop`.
    /// - Returns: the channel; closing it ends the watch.
    static func open(on loop: any EventLoop, changed: @escaping @Sendable () -> Void) async throws -> any Channel {
        let descriptor = try NetworkChanges.open()
        do {
            return try await NIOPipeBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: mostAtOnce)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(NetworkWatch(changed))
                    }
                }
                .takingOwnershipOfDescriptor(input: descriptor).get()
        } catch {
            close(descriptor)
            throw error
        }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isTold else { return }
        isTold = true
        changed()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isTold = false
        let channel = context.channel
        context.eventLoop.scheduleTask(in: Self.pause) { channel.read() }
    }
}
