// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import EventLoops
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Platform

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

/// Opens connections to one etcd server.
struct EtcdConnector: Sendable {
    let server: ServerURL
    let tls: EtcdTLSFiles
    let limits: EtcdLimits
    let loop: any EventLoop
    /// The threads for blocking work: look-ups of names and reading of files.
    let pool: NIOThreadPool

    /// The addresses to connect to, and the TLS context.
    struct Route: Sendable {
        let addresses: [SocketAddress]
        let context: NIOSSLContext?
    }

    /// Looks up the server's name and reads the files for TLS.
    func route() -> EventLoopFuture<Route> {
        pool.runIfActive(eventLoop: loop) {
            Route(addresses: try addresses(), context: server.scheme == .https ? try context() : nil)
        }
    }

    /// Tries the addresses in turn.
    ///
    /// - Parameter addHandlers: adds the last handlers of the pipeline; called for each address.
    func connect(
        _ route: Route,
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        connect(route.addresses[...], route.context, addHandlers, .unreachable(reason: "its name has no address"))
    }

    private func connect(
        _ addresses: ArraySlice<SocketAddress>,
        _ context: NIOSSLContext?,
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void,
        _ error: EtcdError
    ) -> EventLoopFuture<any Channel> {
        guard let address = addresses.first else { return loop.makeFailedFuture(error) }
        return bootstrap(context, addHandlers).connect(to: address).flatMapError { failure in
            connect(addresses.dropFirst(), context, addHandlers, Self.error(for: failure))
        }
    }

    private func bootstrap(
        _ context: NIOSSLContext?,
        _ addHandlers: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
    ) -> ClientBootstrap {
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limits.connectTimeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // The kernel probes an idle peer without waking this process: first after 30 s, and it closes the
            // connection after 60 s.
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(Self.tcp(TCP_KEEPIDLE), value: 30)
            .channelOption(Self.tcp(TCP_KEEPINTVL), value: 10)
            .channelOption(Self.tcp(TCP_KEEPCNT), value: 3)
            .channelInitializer { [server] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: server.tlsName))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try addHandlers(pipeline)
                }
            }
    }

    private static func tcp(_ name: Int32) -> ChannelOptions.Types.SocketOption {
        ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: name))
    }

    /// Looks up the server's name. Blocks.
    private func addresses() throws -> [SocketAddress] {
        switch server.host {
        case .address:
            // With the zone of a link-local address.
            return [try SocketAddress(ipAddress: server.host.text, port: Int(server.port))]
        case .name(let name):
            do throws(HostLookUp.Failure) {
                let list = try HostLookUp.socketAddresses(of: name)
                return list.compactMap { $0.withUnsafeBytes { IPAddress(socketAddress: $0) } }
                    .compactMap { try? SocketAddress(ipAddress: "\($0)", port: Int(server.port)) }
            } catch {
                throw EtcdError.unreachable(reason: "\(Printable(name)): \(error.reason)")
            }
        }
    }

    /// Reads the files for TLS. Blocks.
    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        configuration.applicationProtocols = ["http/1.1"]
        do {
            if let file = tls.authorities { configuration.trustRoots = .file(file) }
            if let certificate = tls.certificate, let key = tls.key {
                try SecretFile.withDescriptor(of: key) { _ in }
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate)
                    .map { .certificate($0) }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            }
            return try NIOSSLContext(configuration: configuration)
        } catch let error as PlatformError {
            throw EtcdError.file(reason: "\(error)")
        } catch {
            throw EtcdError.file(
                reason: "the files for TLS cannot be used: check ca_file, certificate_file and key_file"
            )
        }
    }

    static func error(for error: any Error) -> EtcdError {
        switch error {
        case let error as EtcdError: error
        case ChannelError.connectTimeout: .silent
        case let error as IOError: .unreachable(reason: String(cString: strerror(error.errnoCode)))
        case HTTPParserError.invalidEOFState: .closed
        case is HTTPParserError: .malformed
        case let error as NIOSSLExtraError: .unreachable(reason: "TLS: \(Printable(error.description, columns: 200))")
        case is NIOSSLError, is BoringSSLError: .unreachable(reason: "TLS failed: its certificate may not be trusted")
        default: .closed
        }
    }
}

extension ServerURL {
    /// The name for the TLS handshake, which may be a host name but never an address (RFC 6066, section 3).
    fileprivate var tlsName: String? {
        if case .name(let name) = host { name } else { nil }
    }
}

/// Collects the only reply of a connection.
final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// The status and the body of a reply.
    struct Reply: Sendable {
        let isOK: Bool
        let body: [UInt8]
    }

    private let limit: Int
    private let promise: EventLoopPromise<Reply>
    private var isOK = false
    private var body: [UInt8] = []

    init(limit: Int, _ promise: EventLoopPromise<Reply>) {
        self.limit = limit
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): isOK = head.status == .ok
        case .body(let piece):
            guard body.count + piece.readableBytes <= limit else {
                promise.fail(EtcdError.tooLarge(limit: limit))
                return context.close(promise: nil)
            }
            body += piece.readableBytesView
        case .end: promise.succeed(Reply(isOK: isOK, body: body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(EtcdConnector.error(for: error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(EtcdError.closed)
    }
}

/// Reads the endless reply to a watch, which has one response in each line.
final class WatchHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let limits: EtcdLimits
    private let report: @Sendable (Result<EtcdNews, EtcdError>) -> Void
    private var isOK = false
    private var lines: LineSplitter
    /// The body of a reply whose status is not 200.
    private var refusal: [UInt8] = []
    private var hasEnded = false

    /// - Parameter report: called on the loop. A failure is reported once, as the last call.
    init(_ limits: EtcdLimits, report: @escaping @Sendable (Result<EtcdNews, EtcdError>) -> Void) {
        self.limits = limits
        self.report = report
        lines = LineSplitter(limit: limits.messageBytes)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        do throws(EtcdError) {
            switch unwrapInboundIn(data) {
            case .head(let head): isOK = head.status == .ok
            case .body(let piece) where isOK:
                for line in try lines.append(piece.readableBytesView) {
                    report(.success(try EtcdReply.news(line, limits: limits)))
                }
            case .body(let piece):
                refusal += piece.readableBytesView.prefix(max(0, (64 << 10) - refusal.count))
            case .end:
                throw isOK ? .closed : EtcdReply.fault(refusal, limits: limits)
            }
        } catch {
            end(error, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(EtcdConnector.error(for: error), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.closed, context)
    }

    private func end(_ error: EtcdError, _ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        hasEnded = true
        context.close(promise: nil)
        report(.failure(error))
    }
}

/// Splits a stream of bytes into lines of limited length.
struct LineSplitter {
    private let limit: Int
    private var rest: [UInt8] = []
    /// The number of leading bytes of `rest` that contain no line feed.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that end within these bytes, except empty ones.
    /// - Throws: `tooLarge` if a line is longer than the limit.
    mutating func append(_ bytes: some Sequence<UInt8>) throws(EtcdError) -> [[UInt8]] {
        rest += bytes
        var lines: [[UInt8]] = []
        var start = 0
        while let end = rest[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
            if end > start { lines.append(Array(rest[start..<end])) }
            start = end + 1
        }
        rest.removeSubrange(..<start)
        searched = rest.count
        guard rest.count <= limit, lines.allSatisfy({ $0.count <= limit }) else { throw .tooLarge(limit: limit) }
        return lines
    }
}
