// SPDX-License-Identifier: Apache-2.0

import JSON
import Logging
import NIOCore
import NIOHTTP1
import Varlink

/// The channel handler of a connection: splits the input into frames, runs calls, and executes the actions of
/// `ConnectionState`. Use it on the event loop only.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The task of the running call, and the continuations that wait for the connection.
    private struct CallResources {
        var task: Task<Void, Never>?
        var secret: CheckedContinuation<SecretBytes, any Error>?
        var writers: [CheckedContinuation<Void, any Error>] = []

        func resume(throwing error: VarlinkCallError) {
            secret?.resume(throwing: error)
            for writer in writers { writer.resume(throwing: error) }
        }
    }

    let peer: VarlinkPeer
    let number: UInt64
    private let server: ServerContext
    private var context: ChannelHandlerContext?
    private var state: ConnectionState
    private var inbound = InboundBytes()
    /// The state of an HTTP connection; nil for Varlink.
    private var http: HTTPConversation?
    private var resources = CallResources()
    /// Whether the request that arrives is long, and whether `LongRequests` has admitted it.
    private var (isLong, isAdmitted) = (false, false)
    /// The number of bytes of replies, including those that wait for the peer.
    private var written = 0
    /// The value of `written` when the unsent bytes were last counted.
    private var counted = 0
    private var clock: ConnectionClock
    private var timer: (task: Scheduled<Void>, due: NIODeadline)?

    init(peer: VarlinkPeer, server: ServerContext) {
        self.peer = peer
        self.server = server
        number = server.nextNumber()
        state = ConnectionState(frameBytes: server.limits.frameBytes, pausedBytes: server.limits.pausedBytes)
        clock = ConnectionClock(server.limits, now: .now())
    }

    // MARK: Channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        updateClock()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.task.cancel()
        timer = nil
        if state.remove() {
            server.callEnded()
            let abandoned = resources
            resources = CallResources()
            abandoned.task?.cancel()
            abandoned.resume(throwing: .peerGone)
        }
        server.endLongRequest(of: self)
        server.leave(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        if state.receive(first: buffer.readableBytesView.first, servesHTTP: server.face != nil), let face = server.face
        {
            return speakHTTP(face, after: buffer, context: context)
        }
        inbound.append(wiping: &buffer)
        guard !state.isClosing else {
            // At the end of the input NIO reads all of it.
            inbound = InboundBytes()
            return
        }
        dispatch()
    }

    func read(context: ChannelHandlerContext) {
        if state.requestRead(flow) { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            let writers = resources.writers
            resources.writers.removeAll()
            for writer in writers { writer.resume() }
            dispatch()
        }
        context.fireChannelWritabilityChanged()
    }

    /// The end of the input does not close the channel, because the peer may still wait for a reply. If the peer has
    /// closed the whole connection, NIO closes the channel.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            state.endInput()
            dispatch()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        server.logger.debug("connection failed", metadata: ["pid": "\(peer.pid)", "error": "\(error)"])
        close()
    }

    // MARK: Requests

    /// Starts calls until one is running, its replies wait for the peer, or no complete frame is left.
    private func dispatch() {
        guard state.beginTurn() else { return }
        startRequests()
        while state.takeUnflushed() {
            let isHeld = !isWritable
            context?.flush()
            if isHeld { startRequests() }
        }
        state.endTurn()
        rest()
    }

    private func startRequests() {
        while state.takesRequest(flow), let request = nextRequest() { start(request) }
    }

    private var isWritable: Bool { context?.channel.isWritable == true }

    private var flow: ConnectionState.Flow {
        ConnectionState.Flow(
            waiting: waiting,
            mayGrow: !isLong || isAdmitted,
            isWritable: isWritable,
            isReceivingHTTP: http?.isReceiving == true
        )
    }

    private func nextRequest() -> Request? {
        if let http { return http.takeRequest() }
        guard let length = inbound.frameLength() else { return nil }
        guard length <= server.limits.frameBytes else {
            refuse("request too long")
            return nil
        }
        let request = inbound.withPrefix(length) { frame in
            Result { try Request(parsing: frame, limits: server.limits) }
        }
        inbound.consume(length + 1)
        switch request {
        case .success(let request): return request
        case .failure(let error):
            refuse("\(error)")
            return nil
        }
    }

    /// The number of bytes that were received and not used.
    private var waiting: Int { http?.receivedBytes ?? inbound.count }

    private func rest() {
        guard !state.isClosing else { return }
        deliverSecret()
        admitLongRequest()
        switch state.rest(flow) {
        case .closing: break
        case .refuse:
            // At the end of the input NIO has read all of it.
            inbound = InboundBytes()
            refuse("request too long")
        case .closeWhenFlushed: closeWhenFlushed()
        case .stay(let reads):
            updateClock()
            if reads { context?.read() }
        }
    }

    private func admitLongRequest() {
        let isLong = waiting > server.limits.shortBytes
        guard isLong || self.isLong else { return }
        self.isLong = isLong
        isAdmitted = isLong && server.admitLongRequest(of: self)
        if !isLong { server.endLongRequest(of: self) }
    }

    /// Handles that a long request which had to wait is admitted.
    func longRequestAdmitted() { rest() }

    private func refuse(_ reason: String) {
        server.logger.debug("connection closed", metadata: ["pid": "\(peer.pid)", "reason": "\(reason)"])
        closeWhenFlushed()
    }

    private func start(_ request: Request) {
        guard let context else { return }
        let id = state.start(isOneway: request.isOneway, isStream: request.wantsMore)
        clock.callStarted()
        server.callStarted()
        let route: MethodTable.Route
        do {
            route = try server.methods.route(request.method)
        } catch {
            return finish(id: id, throwing: error)
        }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let call = VarlinkCall(request, method: route.method, peer: peer, id: id, handler: handler)
        let interface = route.interface
        // The transition from events of the socket to structured concurrency. The task ends with its call, and is
        // cancelled with the connection.
        let task = server.executor.starting {
            Task(executorPreference: server.executor) {
                do {
                    try await interface.call(call)
                    call.finish(throwing: nil)
                } catch {
                    call.finish(throwing: error)
                }
            }
        }
        if state.isRunning(id) { resources.task = task }
    }

    // MARK: Replies

    /// Sends a reply of call `id`, unless its last reply was already sent.
    func send(_ reply: Reply, id: UInt64) {
        write(reply, state.reply(to: id, isLast: !reply.continues))
    }

    /// Sends one of several replies, and resumes `writer` when the next one can be sent.
    func send(_ reply: Reply, id: UInt64, whenWritable writer: CheckedContinuation<Void, any Error>) {
        let delivery = state.reply(to: id, isLast: false)
        if case .refuse(let error) = delivery { return writer.resume(throwing: error) }
        write(reply, delivery)
        resume(writer)
    }

    /// Sends bytes of call `id` that are no reply, and resumes `writer` when more can be sent.
    func send(_ bytes: ByteBuffer, id: UInt64, whenWritable writer: CheckedContinuation<Void, any Error>) {
        let (delivery, isFirst) = state.send(to: id)
        if case .refuse(let error) = delivery { return writer.resume(throwing: error) }
        if isFirst, let context { write(server.frame(of: Reply(parameters: [:]), in: http), context) }
        write(bytes, delivery, continues: true)
        resume(writer)
    }

    private func resume(_ writer: CheckedContinuation<Void, any Error>) {
        if let context, state.mustWait(isWritable: context.channel.isWritable) {
            resources.writers.append(writer)
        } else {
            writer.resume()
        }
    }

    private func write(_ reply: Reply, _ delivery: ConnectionState.Delivery) {
        switch delivery {
        case .refuse, .discard: return
        case .write, .writeAndFlush:
            write(server.frame(of: reply, in: http), delivery, continues: reply.continues)
        }
    }

    private func write(_ bytes: ByteBuffer, _ delivery: ConnectionState.Delivery, continues: Bool) {
        guard let context else { return }
        switch delivery {
        case .refuse, .discard: return
        case .write, .writeAndFlush: break
        }
        write(bytes, context)
        guard delivery == .writeAndFlush else { return }
        context.flush()
        // After the last reply, the end of the call does this.
        if continues { updateClock() }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        // The time for unread replies starts again if there have been none in the meantime.
        if clock.phase == .unread { updateClock() }
        written += bytes.readableBytes
        context.write(wrapOutboundOut(bytes), promise: nil)
    }

    /// Resumes `continuation` when the peer has sent a secret for call `id`.
    func awaitSecret(upTo limit: Int, id: UInt64, _ continuation: CheckedContinuation<SecretBytes, any Error>) {
        switch state.awaitSecret(upTo: limit, for: id) {
        case .refuse(let error):
            continuation.resume(throwing: error)
        case .wait(let asking, let rests):
            resources.secret = continuation
            if let asking { write(Reply(parameters: [:]), asking) }
            if rests { rest() }
        }
    }

    /// Passes a complete secret to the method that waits for it.
    private func deliverSecret() {
        switch state.secretArrival(waiting: inbound.count, length: inbound.secretLength) {
        case .none: break
        case .take(let length):
            inbound.consume(4)
            takeSecretWaiter()?.resume(returning: inbound.take(length))
        case .tooLong: takeSecretWaiter()?.resume(throwing: VarlinkError.invalidParameter("secret"))
        case .close: context?.close(promise: nil)
        }
    }

    private func takeSecretWaiter() -> CheckedContinuation<SecretBytes, any Error>? {
        defer { resources.secret = nil }
        return resources.secret
    }

    /// Handles that the method of call `id` has returned or thrown.
    func finish(id: UInt64, throwing error: (any Error)?) {
        switch state.ending(of: id, hasThrown: error != nil) {
        case .ignore: return
        case .end: break
        case .replyError:
            if let error, http?.callsAgain(after: error) != true { fail(with: reply(for: error), id: id) }
        case .replyMissing:
            server.logger.error("method returned without a reply")
            fail(with: Reply(error: server.failure.name, parameters: server.failure.parameters), id: id)
        }
        let ended = resources
        resources = CallResources()
        let closes = state.endCall(isResponseOver: http?.isOver == true)
        // Only continuations that the method has not awaited are left here.
        ended.resume(throwing: .alreadyReplied)
        server.callEnded()
        if closes { closeWhenFlushed() }
        dispatch()
    }

    private func fail(with reply: Reply, id: UInt64) {
        server.callFailed()
        send(reply, id: id)
    }

    private func reply(for error: any Error) -> Reply {
        switch error {
        case let error as VarlinkError:
            return Reply(error: error.name, parameters: error.parameters)
        case let error as any VarlinkFault:
            return reply(for: error.reply)
        case let error as JSONShapeError:
            return reply(for: VarlinkError.invalidParameter(error.path))
        default:
            if !(error is VarlinkCallError), !(error is CancellationError) {
                server.logger.error("call failed", metadata: ["error": "\(error)"])
            }
            return Reply(error: server.failure.name, parameters: server.failure.parameters)
        }
    }

    // MARK: HTTP

    /// Switches the connection to HTTP for one request.
    ///
    /// - Parameter bytes: the bytes of the request that were already read.
    private func speakHTTP(_ face: HTTPFace, after bytes: ByteBuffer, context: ChannelHandlerContext) {
        http = HTTPConversation(face)
        updateClock()
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = server.limits.headBytes
        limits.maxHeaderListSize = server.limits.headBytes
        limits.maxHeaderFieldCount = server.limits.headFields
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        )
        let collector = HTTPRequestCollector(self, bodyBytes: server.limits.frameBytes)
        do {
            try context.pipeline.syncOperations.addHandlers([decoder, collector], position: .before(self))
        } catch {
            return close()
        }
        context.pipeline.fireChannelRead(bytes)
    }

    /// Sends `100 Continue`, because the client waits for it before it sends the body.
    func askForBody() {
        guard let context else { return }
        write(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"), context)
        context.flush()
    }

    /// Handles that a part of a request's body has arrived.
    func receive(bodyBytes: Int) {
        http?.receivedBytes = bodyBytes
        rest()
    }

    func receive(_ request: HTTPRequest) {
        guard let http, !state.isClosing else { return }
        if let answer = http.receive(request, methods: server.methods, limits: server.limits) {
            sendLast(answer)
        } else {
            dispatch()
        }
    }

    func refuse(_ failure: HTTPFailure) {
        guard let http, !state.isClosing else { return }
        sendLast(http.fail(failure))
    }

    private func sendLast(_ bytes: [UInt8]) {
        guard let context else { return }
        write(context.channel.allocator.buffer(bytes: bytes), context)
        closeWhenFlushed()
    }

    // MARK: Ends

    private func updateClock() {
        guard let context else { return }
        let unsent = unsentBytes(context.channel)
        clock.enter(state.phase(flow, unsent: unsent), taken: written - unsent, now: .now())
        armTimer()
    }

    /// The number of bytes that wait for the peer. Less than `progressBytes` is not worth the time to count it after each
    /// call.
    private func unsentBytes(_ channel: any Channel) -> Int {
        let isWaiting = clock.phase == .unread || clock.phase == .paused || state.isClosing
        guard isWaiting || written - counted >= server.limits.progressBytes else { return 0 }
        counted = written
        // The option exists for every stream channel, and cannot be read from a closed one.
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func armTimer() {
        guard let context, let deadline = clock.nextCheck(now: .now()) else { return }
        // A timer that fires earlier checks the deadline and schedules the next one, so a call does not need its own
        // timer.
        if let timer, timer.due <= deadline { return }
        timer?.task.cancel()
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: deadline) { handler.value.timerFired() }
        timer = (task, deadline)
    }

    private func timerFired() {
        timer = nil
        // The channel does not report that the peer reads.
        if clock.phase == .unread || clock.phase == .paused { updateClock() }
        guard let deadline = clock.deadline, deadline <= .now() else { return armTimer() }
        server.logger.debug("connection timed out", metadata: ["pid": "\(peer.pid)", "phase": "\(clock.phase)"])
        close()
    }

    /// Closes after the running call; immediately if there is none or it streams.
    func drain() {
        if state.drain() { close() }
    }

    /// Closes when the peer has read all replies, or does not read them in time.
    private func closeWhenFlushed() {
        guard let context, state.beginClosing() else { return }
        let channel = context.channel
        let nothing = channel.allocator.buffer(capacity: 0)
        context.writeAndFlush(wrapOutboundOut(nothing)).whenComplete { _ in channel.close(promise: nil) }
        updateClock()
    }

    /// Closes immediately. The running call is cancelled.
    func close() {
        state.close()
        context?.close(promise: nil)
    }
}
