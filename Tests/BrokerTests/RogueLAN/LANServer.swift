// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import NIOSSL
import Remoting

/// A server on an address of this machine that records every byte it receives, below and above TLS.
final class LANServer: Sendable {
    /// The reaction to a complete request.
    enum Act: Sendable {
        case send([UInt8])
        case pause(TimeAmount)
        case close
    }

    typealias Behaviour = @Sendable (RequestMessage) -> [Act]

    private struct Seen {
        var bytes: [UInt8] = []
        var requests: [RequestMessage] = []
        var open: [any Channel] = []
        var behaviour: Behaviour
    }

    private final class SeenBox: Sendable {
        let state: Lock<Seen>

        init(_ behaviour: @escaping Behaviour) { state = Lock(Seen(behaviour: behaviour)) }
    }

    let address: SocketAddress
    private let channel: any Channel
    private let seen: SeenBox

    /// - Parameter patience: the time after which it disconnects in any case; nil for never.
    init(
        at address: SocketAddress,
        on loop: any EventLoop,
        tls: NIOSSLContext?,
        patience: TimeAmount? = nil,
        behaviour: @escaping Behaviour
    ) async throws {
        let seen = SeenBox(behaviour)
        self.seen = seen
        channel = try await ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    seen.state.withLock { $0.open.append(channel) }
                    if let patience {
                        let hangUp = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                        channel.closeFuture.whenComplete { _ in hangUp.cancel() }
                    }
                    if let tls {
                        try pipeline.addHandler(Recorder(seen))
                        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try pipeline.addHandler(Recorder(seen))
                    try pipeline.addHandler(Requests(seen))
                }
            }
            .bind(to: address).get()
        guard let bound = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        self.address = bound
    }

    var port: UInt16 { UInt16(address.port ?? 0) }
    var bytes: [UInt8] { seen.state.withLock { $0.bytes } }
    var requests: [RequestMessage] { seen.state.withLock { $0.requests } }
    var connections: Int { seen.state.withLock { $0.open.count } }

    func count(_ method: String) -> Int { requests.count { $0.method == method } }

    func behave(_ behaviour: @escaping Behaviour) {
        seen.state.withLock { $0.behaviour = behaviour }
    }

    func stop() async {
        try? await channel.close()
        for channel in seen.state.withLock({ $0.open }) { try? await channel.close() }
    }

    private final class Recorder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let seen: SeenBox

        init(_ seen: SeenBox) { self.seen = seen }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            seen.state.withLock { $0.bytes += bytes.readableBytesView }
            context.fireChannelRead(data)
        }
    }

    private final class Requests: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let seen: SeenBox
        private var text: [UInt8] = []

        init(_ seen: SeenBox) { self.seen = seen }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += unwrapInboundIn(data).readableBytesView
            guard let body = PostedBody(in: text), let request = try? RequestMessage(decoding: body.bytes) else {
                return
            }
            text.removeFirst(body.end)
            let behaviour = seen.state.withLock {
                $0.requests.append(request)
                return $0.behaviour
            }
            Self.perform(behaviour(request)[...], on: context.channel)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private static func perform(_ acts: ArraySlice<Act>, on channel: any Channel) {
            guard let first = acts.first, channel.isActive else { return }
            let rest = acts.dropFirst()
            switch first {
            case .send(let bytes):
                channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                perform(rest, on: channel)
            case .pause(let time): channel.eventLoop.scheduleTask(in: time) { perform(rest, on: channel) }
            case .close: channel.close(promise: nil)
            }
        }
    }
}

/// The body of the first HTTP request in some bytes, if it is complete.
struct PostedBody {
    let bytes: ByteBuffer
    let end: Int

    init?(in text: [UInt8]) {
        let blankLine = [13, 10, 13, 10] as [UInt8]
        guard let split = text.indices.first(where: { text[$0...].starts(with: blankLine) }) else { return nil }
        let lines = String(decoding: text[..<split], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        end = split + 4 + length
        guard text.count >= end else { return nil }
        bytes = ByteBuffer(bytes: text[(split + 4)..<end])
    }
}
