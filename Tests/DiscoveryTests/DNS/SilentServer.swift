// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Locks
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Receives questions over UDP and sends nothing.
final class SilentServer: Sendable {
    let address: AddressAndPort
    private let channel: any Channel
    private let counter: Counter

    init() throws {
        let counter = Counter()
        channel = try DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(counter) }
            .bind(host: "127.0.0.1", port: 0)
            .wait()
        self.counter = counter
        let port = try #require(channel.localAddress?.port)
        address = AddressAndPort(try #require(IPAddress("127.0.0.1")), port: UInt16(port))
    }

    deinit {
        channel.close(promise: nil)
    }

    func awaitQuestion() async throws {
        try await eventually { self.counter.questions.withLock { $0 } > 0 }
    }

    private final class Counter: ChannelInboundHandler, Sendable {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        let questions = Lock(0)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            questions.withLock { $0 += 1 }
        }
    }
}
