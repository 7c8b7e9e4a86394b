// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import NIOCore
internal import NIOPosix

/// One query to one server, over its own socket. A port that an attacker cannot guess protects the reply as much as
/// its ID does (RFC 5452).
struct DNSAttempt: Sendable {
    enum Transport: Sendable {
        case datagram
        /// For replies that are too long for a datagram.
        case stream

        var timeout: TimeAmount { self == .datagram ? .seconds(2) : .seconds(4) }
    }

    let question: DNSQuestion
    let server: AddressAndPort
    let loop: any EventLoop

    /// Sends the query and returns the server's reply, whatever its code. Fails with `silence` if the query times out
    /// or the server cannot be reached, with `malformed` if a reply over TCP is invalid.
    func start(over transport: Transport) -> EventLoopFuture<DNSReply> {
        let promise = loop.makePromise(of: DNSReply.self)
        let id = UInt16.random(in: 0...UInt16.max)
        let timer = loop.scheduleTask(in: transport.timeout) { promise.fail(DNSError.silence) }
        let connecting = connect(over: transport, expecting: id, promise)
        connecting.whenFailure { _ in promise.fail(DNSError.silence) }
        connecting.whenSuccess { [question] channel in
            let message = question.message(id: id)
            var bytes = channel.allocator.buffer(capacity: message.count + 2)
            if transport == .stream { bytes.writeInteger(UInt16(message.count)) }
            bytes.writeBytes(message)
            channel.writeAndFlush(bytes).whenFailure { _ in promise.fail(DNSError.silence) }
        }
        promise.futureResult.whenComplete { _ in
            timer.cancel()
            connecting.whenSuccess { $0.close(promise: nil) }
        }
        return promise.futureResult
    }

    private func connect(
        over transport: Transport,
        expecting id: UInt16,
        _ promise: EventLoopPromise<DNSReply>
    ) -> EventLoopFuture<any Channel> {
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Void> = { [question] channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                switch transport {
                case .datagram: try pipeline.addHandler(DatagramReplyHandler(question, id, promise))
                case .stream: try pipeline.addHandler(StreamReplyHandler(question, id, promise))
                }
            }
        }
        let address: SocketAddress
        do {
            address = try SocketAddress(ipAddress: server.address.description, port: Int(server.port))
        } catch {
            return loop.makeFailedFuture(error)
        }
        return switch transport {
        case .datagram: DatagramBootstrap(group: loop).channelInitializer(initialize).connect(to: address)
        case .stream:
            ClientBootstrap(group: loop)
                .connectTimeout(transport.timeout)
                .channelInitializer(initialize)
                .connect(to: address)
        }
    }
}
