// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
import JSON
import LocalAPI
import NIOCore
import NIOPosix
import Varlink

/// An adapter that the daemon keeps open as long as this connection to its second socket is open.
final class HeldAdapter: Sendable {
    /// The daemon's reply.
    let opened: AdaptersAPI.OpenReply
    private let channel: any Channel

    private init(_ opened: AdaptersAPI.OpenReply, _ channel: any Channel) {
        (self.opened, self.channel) = (opened, channel)
    }

    /// Whether the daemon still holds the adapter. Its socket is removed before the end is reported here.
    var isOpen: Bool { channel.isActive && access(opened.socketPath, F_OK) == 0 }

    /// Closes the adapter.
    func close() { channel.close(promise: nil) }

    /// Opens an adapter. There is no timeout, because the daemon may prompt the user.
    ///
    /// - Throws: `DataError.daemonUnavailable`; the `VarlinkError` of the daemon.
    static func open(
        _ call: AdaptersAPI.OpenCall,
        at path: String,
        on loop: any EventLoop
    ) async throws -> HeldAdapter {
        let opened = loop.makePromise(of: AdaptersAPI.OpenReply.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(OpenCallHandler(call, opened))
                    }
                }
                .connect(unixDomainSocketPath: path)
                .value()
        } catch {
            opened.fail(error)
            throw DataError.daemonUnavailable(message: "cannot connect to \(path): \(error)")
        }
        return try await withTaskCancellationHandler {
            HeldAdapter(try await opened.futureResult.value(), channel)
        } onCancel: {
            channel.close(promise: nil)
        }
    }
}

/// Sends the call, and reads its first reply. A later reply is the error with which the daemon closes the adapter.
private final class OpenCallHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let limits = JSONLimits(depth: 8, bytes: 64 << 10)

    private let call: AdaptersAPI.OpenCall
    private let opened: EventLoopPromise<AdaptersAPI.OpenReply>
    private var bytes: [UInt8] = []
    private var isOpen = false

    init(_ call: AdaptersAPI.OpenCall, _ opened: EventLoopPromise<AdaptersAPI.OpenReply>) {
        self.call = call
        self.opened = opened
    }

    func channelActive(context: ChannelHandlerContext) {
        let request: JSONObject = [
            "method": .string(AdaptersAPI.OpenCall.method), "parameters": .object(call.json), "more": true,
        ]
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request.text + "\0")), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOpen else { return context.close(promise: nil) }
        bytes += unwrapInboundIn(data).readableBytesView
        guard let end = bytes.firstIndex(of: 0) else {
            if bytes.count > Self.limits.bytes { context.close(promise: nil) }
            return
        }
        do {
            opened.succeed(try Self.reply(in: Array(bytes[..<end])))
            isOpen = true
            bytes = []
        } catch {
            opened.fail(error)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Has no effect if the reply has arrived.
        opened.fail(DataError.daemonUnavailable(message: "the daemon closed the connection"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private static func reply(in frame: [UInt8]) throws -> AdaptersAPI.OpenReply {
        guard let message = try JSONValue(parsing: frame, limits: limits).objectValue else {
            throw DataError.daemonUnavailable(message: "the daemon's reply is no object")
        }
        let parameters = try message.optionalObject("parameters") ?? [:]
        if let error = try message.optionalString("error") { throw VarlinkError(error, parameters) }
        return try AdaptersAPI.OpenReply(json: parameters)
    }
}
