// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import NIOSSL

/// A TCP server on loopback that answers each HTTP request with the steps of a script.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        case send(String)
        case sendBytes(ByteBuffer)
        case close
    }

    /// Returns the steps for request number `n`, from 0.
    typealias Script = @Sendable (_ request: Int) -> [Step]

    let address: SocketAddress
    private let channel: any Channel
    private let log: Log

    /// - Parameter greeting: what it sends before a request.
    init(
        on loop: any EventLoop,
        tls: NIOSSLContext? = nil,
        greeting: String = "",
        script: @escaping Script
    ) async throws {
        let log = Log()
        self.log = log
        channel = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(ScriptHandler(log, greeting, script))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        self.address = address
    }

    /// The number of bytes it received.
    var bytes: Int { log.state.withLock { $0.bytes } }
    var connections: Int { log.state.withLock { $0.connections } }
    /// Head and body of every complete request, as Latin-1.
    var requests: [String] { log.state.withLock { $0.requests } }

    /// Closes all open connections, as a server does after its keep-alive time.
    func closeConnections() async {
        for channel in log.state.withLock({ $0.open }) { try? await channel.close() }
    }

    func stop() async throws {
        try await channel.close()
        await closeConnections()
    }
}

/// State that all connections of one server share.
private final class Log: Sendable {
    struct State {
        var bytes = 0
        var connections = 0
        var requests: [String] = []
        var open: [any Channel] = []
    }

    let state = Lock(State())
}

/// Collects a request by its Content-Length, then runs the script.
private final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let log: Log
    private let greeting: String
    private let script: ScriptedServer.Script
    private var text = ""

    init(_ log: Log, _ greeting: String, _ script: @escaping ScriptedServer.Script) {
        (self.log, self.greeting, self.script) = (log, greeting, script)
    }

    func channelActive(context: ChannelHandlerContext) {
        log.state.withLock {
            $0.connections += 1
            $0.open.append(context.channel)
        }
        if !greeting.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: greeting)), promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        log.state.withLock { $0.bytes += bytes.count }
        text += String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let scalars = Array(text.unicodeScalars)
        guard let end = scalars.indices.first(where: { scalars[$0...].starts(with: "\r\n\r\n".unicodeScalars) }) else {
            return
        }
        let head = String(String.UnicodeScalarView(scalars[..<end])).lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) }
        guard scalars.count == end + 4 + (length ?? 0) else { return }
        let index = log.state.withLock { state in
            state.requests.append(text)
            return state.requests.count - 1
        }
        text = ""
        for step in script(index) {
            switch step {
            case .send(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
            case .sendBytes(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .close: context.close(promise: nil)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
