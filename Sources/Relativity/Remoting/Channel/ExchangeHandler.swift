// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1
import NIOSSL

/// Performs exchanges over one connection, one at a time, and closes the connection after the idle timeout.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    private let idleTimeout: TimeAmount
    private let pause: TimeAmount
    private let hold: TimeAmount
    /// The first handler of the pipeline.
    private let secrets: SecretReplyHandler
    private var state = ExchangeState()
    private var reply: EventLoopPromise<HTTPReply>?
    /// The rest of a reply that is passed on as it arrives.
    private var rest: ArrivingBody?
    /// Whether reading is suspended until the received chunks are taken.
    private var isReadHeld = false
    /// Deadline of the expected reply, or of the connection while it is idle.
    private var deadline: MovingDeadline?
    /// When the first bytes of a reply in chunks are passed on, although there are few of them.
    private var holdEnd: MovingDeadline?
    /// Whether the connection is closing; with TLS that may take a while.
    private var isBroken = false
    private var framing = FramingAllowance()

    init(settings: ChannelSettings, secrets: SecretReplyHandler) {
        self.secrets = secrets
        idleTimeout = TimeAmount(settings.idleTimeout)
        pause = TimeAmount(settings.pause)
        hold = TimeAmount(settings.hold)
    }

    /// Whether no reply is expected.
    var isIdle: Bool { reply == nil && rest == nil }

    /// Whether the expected reply may end within so many bytes.
    func mayEnd(within count: Int) -> Bool { state.bytesLeft.map { $0 <= count } ?? true }

    /// Counts bytes that are passed to the decoder next, so that those of the body among them are taken off again.
    func willReceive(_ count: Int) { framing.add(received: count) }

    /// Whether the reply may continue.
    var mayContinue: Bool { framing.isKept }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = MovingDeadline(on: context.eventLoop) { [unowned self] in
            if reply != nil || rest != nil {
                fail(RemotingError.deadline, context: context)
            } else {
                context.close(promise: nil)
            }
        }
        holdEnd = MovingDeadline(on: context.eventLoop) { [unowned self] in
            perform(state.passOn(), context: context)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        if isBroken {
            exchange.reply.fail(ClosedBeforeReply(wasSent: false))
            promise?.fail(ClosedBeforeReply(wasSent: false))
            return
        }
        reply = exchange.reply
        state.requestSent(exchange.storage)
        framing = FramingAllowance()
        if exchange.storage.isWiped { secrets.begin() }
        deadline?.move(to: exchange.deadline)
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        for part in exchange.body { context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            perform(state.received(head), context: context)
            if state.isHolding { holdEnd?.move(to: .now() + hold) }
        case .body(let bytes):
            framing.add(body: bytes.readableBytes)
            perform(state.received(bytes), context: context)
        case .end: perform(state.receivedEnd(), context: context)
        }
    }

    private func perform(_ action: ExchangeState.Action, context: ChannelHandlerContext) {
        switch action {
        case .wait: break
        case .finish(var whole):
            whole.head = secrets.end()
            reply.take()?.succeed(whole)
            finish(keepsConnection: whole.keepsConnection, context: context)
        case .begin(let start): begin(start, context: context)
        case .pass(let bytes):
            deadline?.move(to: .now() + pause)
            rest?.add(bytes)
        case .end(let keepsConnection):
            let rest = rest.take()
            // Make the connection ready for the next request before the reader is notified.
            finish(keepsConnection: keepsConnection, context: context)
            rest?.end(.success(()))
        case .fail(let error): fail(error, context: context)
        }
    }

    func read(context: ChannelHandlerContext) {
        guard rest?.isFull != true else {
            isReadHeld = true
            // The server is not the cause of this wait.
            deadline?.clear()
            return
        }
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(failure(for: error), context: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(failure(for: ChannelError.eof), context: context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for timer in [deadline, holdEnd] { timer?.end() }
        (deadline, holdEnd) = (nil, nil)
    }

    private func begin(_ start: HTTPReply, context: ChannelHandlerContext) {
        var start = start
        let rest = ArrivingBody(over: context.channel) { [weak self] in self?.readOn(context) }
        self.rest = rest
        start.rest = rest
        deadline?.move(to: .now() + pause)
        reply.take()?.succeed(start)
    }

    private func readOn(_ context: ChannelHandlerContext) {
        guard isReadHeld else { return }
        isReadHeld = false
        if rest != nil { deadline?.move(to: .now() + pause) }
        context.read()
    }

    private func finish(keepsConnection: Bool, context: ChannelHandlerContext) {
        readOn(context)
        guard keepsConnection else { return context.close(promise: nil) }
        deadline?.move(to: .now() + idleTimeout)
    }

    private func fail(_ error: any Error, context: ChannelHandlerContext) {
        let (pending, broken) = (reply.take(), rest.take())
        state.wipe()
        isBroken = true
        context.close(promise: nil)
        pending?.fail(error)
        broken?.end(.failure(error))
    }

    private func failure(for error: any Error) -> any Error {
        switch error {
        case is RemotingError: error
        case HTTPParserError.invalidEOFState: RemotingError.interrupted(.closedDuringReply)
        case is HTTPParserError: RemotingError.malformed(reason: "not an HTTP reply")
        case is NIOSSLError, is BoringSSLError: RemotingError.interrupted(.tlsFailed)
        case _ where state.awaitsReply: ClosedBeforeReply(wasSent: true)
        default: RemotingError.interrupted(.closedDuringReply)
        }
    }
}

/// The state of a connection in its one exchange at a time.
struct ExchangeState {
    enum Action {
        case wait
        case finish(HTTPReply)
        /// The rest of the body arrives in chunks.
        case begin(HTTPReply)
        case pass(ByteBuffer)
        case end(keepsConnection: Bool)
        /// The connection is unusable afterwards.
        case fail(RemotingError)
    }

    private enum Phase {
        case idle
        case sent(ReplyStorage)
        case receiving(HTTPResponseHead, body: ByteBuffer, announced: Int?, ReplyStorage)
        case passing(keepsConnection: Bool)
    }

    private static let locationLimit = 256
    /// Maximum heads with a 1xx status before the head of a reply.
    static let informationalLimit = 8

    private var phase = Phase.idle
    private var informational = 0
    /// The bytes of the body that have not arrived; nil if they are not known, as before the head.
    private(set) var bytesLeft: Int?

    /// Whether a request was sent and no byte of its reply has arrived.
    var awaitsReply: Bool {
        if case .sent = phase { true } else { false }
    }

    /// Whether the first bytes of a reply in chunks are collected.
    var isHolding: Bool {
        if case .receiving(_, _, _, .pieces) = phase { true } else { false }
    }

    mutating func requestSent(_ storage: ReplyStorage) {
        phase = .sent(storage)
        informational = 0
        bytesLeft = nil
    }

    /// Overwrites the received part of a reply that may repeat a secret and will not be completed.
    mutating func wipe() {
        guard case .receiving(_, let body, _, .wiped) = phase else { return }
        body.wipeSharedStorage()
    }

    mutating func received(_ head: HTTPResponseHead) -> Action {
        guard case .sent(let storage) = phase else { return .fail(.malformed(reason: "a reply without a request")) }
        if (100..<200).contains(head.status.code), head.status != .switchingProtocols {
            informational += 1
            return informational > Self.informationalLimit ? .fail(.tooManyInformational) : .wait
        }
        guard head.status.mayHaveResponseBody, head.status.code >= 200 else {
            return .fail(.httpStatus(Int(head.status.code)))
        }
        guard !(300..<400).contains(head.status.code) else {
            let location = head.headers.first(name: "location") ?? ""
            return .fail(
                .redirected(
                    status: Int(head.status.code),
                    location: String(decoding: location.utf8.prefix(Self.locationLimit), as: UTF8.self)
                )
            )
        }
        let announced = head.headers.first(name: "content-length").flatMap { Int($0) }
        if let announced, let limit = storage.limit, announced > limit { return .fail(.tooLarge(limit: limit)) }
        phase = .receiving(head, body: ByteBuffer(), announced: announced, storage)
        bytesLeft = announced
        return .wait
    }

    mutating func received(_ bytes: ByteBuffer) -> Action {
        bytesLeft = bytesLeft.map { $0 - bytes.readableBytes }
        if case .passing = phase { return .pass(bytes) }
        guard case .receiving(let head, var body, let announced, let storage) = phase else { return .wait }
        if let limit = storage.limit, body.readableBytes + bytes.readableBytes > limit {
            if storage.isWiped { bytes.wipeReadableBytes() }
            return .fail(.tooLarge(limit: limit))
        }
        // Otherwise the phase would share the body's storage, and each part would copy all previous ones.
        phase = .idle
        if storage.isWiped { body.collectWiping(bytes, of: announced) } else { body.collect(bytes, of: announced) }
        if case .pieces(let first) = storage, body.readableBytes >= first {
            phase = .passing(keepsConnection: head.isKeepAlive)
            return .begin(Self.reply(head, body, announced))
        }
        phase = .receiving(head, body: body, announced: announced, storage)
        return .wait
    }

    /// Begins a reply in chunks with the bytes that have arrived, or as soon as the header of the message has. A slow server
    /// would otherwise appear silent.
    mutating func passOn() -> Action {
        guard case .receiving(let head, let body, let announced, .pieces) = phase else { return .wait }
        guard body.readableBytes >= MessageHeader.byteCount else {
            phase = .receiving(head, body: body, announced: announced, .pieces(MessageHeader.byteCount))
            return .wait
        }
        phase = .passing(keepsConnection: head.isKeepAlive)
        return .begin(Self.reply(head, body, announced))
    }

    mutating func receivedEnd() -> Action {
        switch phase {
        case .receiving(let head, let body, let announced, _):
            phase = .idle
            return .finish(Self.reply(head, body, announced))
        case .passing(let keepsConnection):
            phase = .idle
            return .end(keepsConnection: keepsConnection)
        case .idle, .sent:
            return .wait
        }
    }

    private static func reply(_ head: HTTPResponseHead, _ body: ByteBuffer, _ announced: Int?) -> HTTPReply {
        HTTPReply(
            status: Int(head.status.code),
            failure: head.headers.first(name: AdapterFailure.header).flatMap(AdapterFailure.init),
            announced: announced,
            body: body,
            keepsConnection: head.isKeepAlive
        )
    }
}

/// The bytes of a reply that are not of its body, such as its head and the lines of its chunks. A server could send them
/// for ever, and the limit of a body would never be reached.
struct FramingAllowance {
    static let limit = 256 << 10
    /// The bytes that may arrive for each byte of the body. A chunk of one byte has 6.
    private static let perBodyByte = 16

    private var bytes = 0

    var isKept: Bool { bytes <= Self.limit }

    mutating func add(received count: Int) { bytes += count }

    mutating func add(body count: Int) { bytes = max(bytes - count * Self.perBodyByte, 0) }
}

extension RemotingError {
    static let tooManyInformational = malformed(
        reason: "more than \(ExchangeState.informationalLimit) heads with a 1xx status"
    )
}

/// One request and the promise of its reply.
struct HTTPExchange: Sendable {
    let head: HTTPRequestHead
    /// The parts of the body in order.
    let body: [ByteBuffer]
    let storage: ReplyStorage
    /// Deadline of the complete reply, or of the first bytes of one that arrives in chunks; the connection is closed
    /// then.
    let deadline: NIODeadline
    let reply: EventLoopPromise<HTTPReply>
}

/// The form in which a reply's body is collected, and its limit.
enum ReplyStorage: Sendable {
    /// Complete, with at most this many bytes.
    case whole(Int)
    /// As `whole`, for a reply that may repeat a secret. All copies except the collected body are overwritten.
    case wiped(Int)
    /// In chunks as it arrives, without a limit, as soon as this many bytes have arrived, or `ChannelSettings.hold` is over.
    /// Complete if it is shorter.
    case pieces(Int)

    /// Whether the reply may repeat a secret.
    var isWiped: Bool {
        if case .wiped = self { true } else { false }
    }

    /// Maximum bytes of a body; nil without a limit.
    var limit: Int? {
        switch self {
        case .whole(let limit), .wiped(let limit): limit
        case .pieces: nil
        }
    }
}

/// A reply with its complete body, or with the first bytes of it.
struct HTTPReply: Sendable {
    let status: Int
    /// Of the reply of an adapter only.
    let failure: AdapterFailure?
    /// The head as received, if the reply may repeat a secret.
    var head: ByteBuffer?
    /// Bytes of the body; nil if the server did not specify them.
    let announced: Int?
    let body: ByteBuffer
    /// Whether the server permits another request on the connection.
    let keepsConnection: Bool
    /// Nil if `body` is complete.
    var rest: ArrivingBody?
    /// The connection over which the reply arrived.
    var connection: (any Channel)?
}

/// The connection was closed before the first byte of a reply. If it was reused, the server may never have received
/// the request.
struct ClosedBeforeReply: Error {
    /// Whether a part of the request may have left.
    let wasSent: Bool
}
