// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import NIOCore
import NIOHTTP1
import Platform
import Remoting
import Services

/// Collects one HTTP request at a time from a tool and writes the reply.
final class AdapterHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let maximumBytes: Int
    /// Timeout for an unfinished request, for a complete reply that the tool does not read, and for an idle connection.
    private let silence: TimeAmount
    private var silenceEnd: MovingDeadline?
    private let budget: RequestBudget
    private let gate: LoopbackGate?
    /// Budget share of the request that is being received. When the request is complete, the share passes to the task
    /// that answers it.
    private var share: RequestShare?
    private let answer: AdapterListener.Answer
    private var head: HTTPRequestHead?
    private var announced: Int?
    private var body = ByteBuffer()
    private var running: Task<Void, Never>?
    /// True from a complete or refused request until its reply is written.
    private var isAnswering = false
    private var isInputClosed = false

    init(
        limits: AdapterLimits,
        budget: RequestBudget,
        gate: LoopbackGate?,
        answer: @escaping AdapterListener.Answer
    ) {
        self.budget = budget
        self.gate = gate
        maximumBytes = limits.requestBytes
        silence = TimeAmount(limits.silence)
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        silenceEnd = MovingDeadline(on: context.eventLoop) { context.close(promise: nil) }
        silenceEnd?.move(to: .now() + silence)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        silenceEnd?.end()
        silenceEnd = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        silenceEnd?.end()
        // The task releases its share when it has really ended.
        running?.cancel()
        share?.release()
        share = nil
        context.fireChannelInactive()
    }

    /// A tool that has closed its sending half after its last request may still wait for the reply.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            if !isAnswering { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, !isAnswering { return reject(context, .badRequest) }
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let status = gate?.refusal(of: head) {
                reject(context, status)
                return
            }
            self.head = head
            body.clear()
            announced = head.headers.first(name: "Content-Length").flatMap(Int.init)
            if let announced, announced > maximumBytes {
                refuse(context, RemotingError.tooLarge(limit: maximumBytes))
                return
            }
            // curl, for example, otherwise waits a second before it sends a long body.
            if head.headers.first(name: "Expect")?.lowercased() == "100-continue" { askForBody(context) }
        case .body(let chunk):
            // Skip the rest of a request that was already refused.
            guard head != nil else { return }
            guard body.readableBytes + chunk.readableBytes <= maximumBytes else {
                refuse(context, RemotingError.tooLarge(limit: maximumBytes))
                return
            }
            let share = share ?? RequestShare(of: budget, loop: context.eventLoop)
            self.share = share
            do throws(BrokerError) {
                try share.take(chunk.readableBytes)
            } catch {
                refuse(context, error)
                return
            }
            body.collect(chunk, of: announced)
        case .end:
            guard let head else { return }
            self.head = nil
            switch head.method {
            case .POST: run(.message(body), head, context)
            case .GET: run(.page(ServerPath(of: head.uri)), head, context)
            default:
                refuse(context, RemotingError.malformed(reason: "an adapter accepts only POST and GET"))
                return
            }
            body = ByteBuffer()
        }
    }

    private func askForBody(_ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func run(_ request: AdapterListener.Request, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        silenceEnd?.clear()
        isAnswering = true
        let share = share ?? RequestShare(of: budget, loop: context.eventLoop)
        self.share = nil
        let box = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        // The bridge from the event loop's callbacks to a task, which ends with the reply or with the connection.
        running = Task(executorPreference: LoopExecutor(loop)) { [answer] in
            let reply = await answer(request, share)
            let (handler, context) = box.value
            if reply.rest == nil {
                handler.write(reply, share, to: head.version, keepAlive: head.isKeepAlive, context)
            } else {
                await ReplyPassage(reply: reply, end: box, version: head.version, keepAlive: head.isKeepAlive).run()
                share.release()
            }
        }
    }

    /// - Parameter share: released when the body is written to the socket, or when the connection is closed.
    private func write(
        _ reply: AdapterReply,
        _ share: RequestShare?,
        to version: HTTPVersion = .http1_1,
        keepAlive: Bool,
        _ context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else {
            running = nil
            share?.release()
            return
        }
        // A tool that does not read gets no further reply: the next request is delivered only after the end of this
        // one.
        let (written, keepAlive) = begin(reply, to: version, keepAlive: keepAlive, context)
        let box = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        written.whenComplete { _ in
            share?.release()
            let (handler, context) = box.value
            handler.end(keepAlive: keepAlive, context)
        }
    }

    /// Writes the head of a reply and the part of the body that has arrived.
    ///
    /// - Returns: a future that completes when the bytes are written to the socket, and whether the connection is
    ///   kept alive.
    func begin(
        _ reply: AdapterReply,
        to version: HTTPVersion,
        keepAlive: Bool,
        _ context: ChannelHandlerContext
    ) -> (written: EventLoopFuture<Void>, keepAlive: Bool) {
        let keepAlive = keepAlive && !isInputClosed && reply.isFramed(for: version)
        let head = reply.head(for: version, keepsConnection: keepAlive)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if reply.rest == nil { silenceEnd?.move(to: .now() + silence) }
        return (pass(reply.parts, context), keepAlive)
    }

    /// Writes parts of the body.
    ///
    /// - Returns: a future that completes when the bytes are written to the socket.
    func pass(_ parts: [ByteBuffer], _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let written = context.eventLoop.makePromise(of: Void.self)
        for part in parts.dropLast() { context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(parts.last ?? ByteBuffer()))), promise: written)
        return written.futureResult
    }

    /// Ends a reply. NIO may deliver the next request during the call.
    func end(keepAlive: Bool, _ context: ChannelHandlerContext) {
        running = nil
        isAnswering = false
        guard context.channel.isActive else { return }
        silenceEnd?.move(to: .now() + silence)
        guard !keepAlive || isInputClosed else {
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        let box = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in box.value.close(promise: nil) }
    }

    private func refuse(_ context: ChannelHandlerContext, _ error: any Error) {
        end(context, with: AdapterReply(error, to: body))
    }

    private func reject(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus) {
        end(context, with: AdapterReply(status: status))
    }

    /// Replies without reading the rest of the request, then closes the connection.
    private func end(_ context: ChannelHandlerContext, with reply: AdapterReply) {
        head = nil
        body = ByteBuffer()
        isAnswering = true
        let share = share.take()
        write(reply, share, keepAlive: false, context)
    }
}

/// Passes on a server's reply as it arrives. Requests the next chunk when the tool has taken the last one. A tool may
/// pause for any time; `RemotingChannel` ends the reply if other calls need its place.
///
/// An error on the way closes the connection, so that the tool cannot take a part for the complete reply.
struct ReplyPassage {
    let reply: AdapterReply
    let end: NIOLoopBound<(handler: AdapterHandler, context: ChannelHandlerContext)>
    let version: HTTPVersion
    let keepAlive: Bool

    /// Returns at the end of the reply or of the connection.
    func run() async {
        defer { reply.use?.endCall() }
        do {
            try Task.checkCancellation()
            let (first, keepAlive) = begin()
            try await first.value()
            while let chunks = try await reply.rest?.next() { try await write(chunks).value() }
            end.value.handler.end(keepAlive: keepAlive, end.value.context)
        } catch {
            reply.rest?.abandon()
            end.value.context.close(promise: nil)
        }
    }

    private func begin() -> (EventLoopFuture<Void>, keepAlive: Bool) {
        end.value.handler.begin(reply, to: version, keepAlive: keepAlive, end.value.context)
    }

    private func write(_ chunks: [ByteBuffer]) -> EventLoopFuture<Void> {
        end.value.handler.pass(chunks, end.value.context)
    }
}

/// Decides which requests may pass at a port of 127.0.0.1. Every program of the machine can reach the port, and so
/// can every web page that a browser shows.
struct LoopbackGate: Sendable, Equatable {
    /// Bytes of an unguessable path before hexadecimal encoding: 160 bits.
    private static let pathBytes = 20
    /// Permitted lengths of a path that the user chose.
    static let pathLengths = 23...256

    let port: UInt16
    let path: String

    /// Makes a path that an attacker cannot guess.
    static func makePath() throws(PlatformError) -> String {
        "/" + HexText.encode(try SystemRandom().bytes(pathBytes))
    }

    /// Whether a chosen path may be unguessable by its length: a slash and at least 22 unreserved characters, which
    /// are 128 bits if all characters are equally likely. Other characters are not permitted.
    static func isUsable(_ path: String) -> Bool {
        pathLengths.contains(path.utf8.count) && path.utf8.first == UInt8(ascii: "/")
            && ASCII.isWord(Substring(path.utf8.dropFirst()), marks: "-_")
    }

    /// The status with which a request is refused; nil if it may pass. The reply has no body, so that it does not
    /// reveal the kind of server.
    func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        // A browser names the page that a request comes from, in a preflight request too, and marks those without an
        // origin, such as a GET of an image.
        guard !head.headers.contains(name: "Origin"), !head.headers.contains(name: "Referer"),
            !head.headers.contains(where: { $0.name.lowercased().hasPrefix("sec-fetch-") })
        else { return .forbidden }
        // DNS rebinding: an attacker's host name can resolve to 127.0.0.1, and the browser then treats this port as
        // part of the attacker's site.
        let hosts = head.headers["Host"]
        guard hosts.count == 1, isOurs(host: hosts[0]) else { return .forbidden }
        // Some clients of the vendor append a query to defeat caches.
        let path = head.uri.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard ConstantTime.areEqual(Array(path), Array(self.path.utf8)) else { return .notFound }
        return nil
    }

    private func isOurs(host: String) -> Bool {
        let host = host.lowercased()
        return host == "127.0.0.1:\(port)" || host == "localhost:\(port)"
    }
}
