// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import EventLoops
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A client of one etcd server. Each request has its own connection: requests are few, and none can delay another.
struct EtcdClient: Sendable {
    let connector: EtcdConnector
    /// The token that etcd returned for the password. The server accepts it for some minutes. NIO's headers are
    /// strings.
    var token: String?

    private var limits: EtcdLimits { connector.limits }
    private var loop: any EventLoop { connector.loop }

    /// Sends a request. Fails with `EtcdError`, at the latest when the reply times out.
    func send(_ request: EtcdRequest) -> EventLoopFuture<[UInt8]> {
        send(request.path, ByteBuffer(bytes: request.body))
    }

    /// Requests a token with the user's password, which is read for this request only, and wiped.
    func authenticate(_ user: EtcdUser) -> EventLoopFuture<String> {
        connector.pool.runIfActive(eventLoop: loop) { try AuthenticationBody(user).bytes }
            .flatMap { body in
                // At this point the body was written, or will never be.
                send(EtcdRequest.authenticationPath, body).always { _ in body.wipeSharedStorage() }
            }
            .flatMapThrowing { [limits] in try EtcdReply.token($0, limits: limits) }
            .flatMapErrorThrowing { throw EtcdConnector.error(for: $0) }
    }

    /// Watches until the connection ends, which is the last call of `report`.
    ///
    /// - Returns: the connection, which the caller closes to end the watch. If it fails, `report` is not called.
    func watch(
        _ request: EtcdRequest,
        report: @escaping @Sendable (Result<EtcdNews, EtcdError>) -> Void
    ) -> EventLoopFuture<any Channel> {
        connect { [limits] in try $0.addHandler(WatchHandler(limits, report: report)) }
            .map { channel in
                write(request.path, ByteBuffer(bytes: request.body), to: channel)
                return channel
            }
            .flatMapErrorThrowing { throw EtcdConnector.error(for: $0) }
    }

    private func send(_ path: String, _ body: ByteBuffer) -> EventLoopFuture<[UInt8]> {
        let promise = loop.makePromise(of: ReplyHandler.Reply.self)
        let timer = loop.scheduleTask(in: TimeAmount(limits.replyTimeout)) { promise.fail(EtcdError.silent) }
        let connecting = connect { [limits] in
            try $0.addHandler(ReplyHandler(limit: limits.messageBytes, promise))
        }
        connecting.whenFailure { promise.fail(EtcdConnector.error(for: $0)) }
        connecting.whenSuccess { write(path, body, to: $0) }
        promise.futureResult.whenComplete { _ in
            timer.cancel()
            connecting.whenSuccess { $0.close(promise: nil) }
        }
        return promise.futureResult.flatMapThrowing { [limits] reply in
            guard reply.isOK else { throw EtcdReply.fault(reply.body, limits: limits) }
            return reply.body
        }
    }

    private func connect(
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        connector.route().flatMap { connector.connect($0, addHandlers) }
    }

    private func write(_ path: String, _ body: ByteBuffer, to channel: any Channel) {
        var headers: HTTPHeaders = [
            "Host": "\(connector.server.host.urlText):\(connector.server.port)", "Content-Type": "application/json",
            "Content-Length": "\(body.readableBytes)", "User-Agent": "relativityd",
        ]
        if let token { headers.add(name: "Authorization", value: token) }
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
}
