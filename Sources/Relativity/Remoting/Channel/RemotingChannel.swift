// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
import NIOHTTP1

/// Posts messages to one server over persistent HTTP/1.1 connections (docs/wire.md, "HTTP channel").
///
/// Isolated to its event loop. No redirects, no cookies, no proxy. A request is sent once. If the server closes a
/// reused connection before any byte of the reply, a request that may be repeated is sent a second time on a new
/// connection, unless calls were ended or the channel was closed meanwhile.
package actor RemotingChannel {
    /// The server and its path.
    package nonisolated let target: RemotingTarget
    /// The limits and timeouts.
    package nonisolated let settings: ChannelSettings
    private nonisolated let loop: any EventLoop
    private let connector: RemotingConnector
    private let admission: Admission?
    private let requestHead: HTTPRequestHead
    private var pool: ConnectionPoolState
    private var connections: [ConnectionPoolState.ConnectionID: any Channel] = [:]
    /// The replies that are passed on as they arrive.
    private var passing: [ConnectionPoolState.ConnectionID: ArrivingBody] = [:]
    /// Waiting calls. Each gets a connection, or nil: then it opens one.
    private var waiting: [ConnectionPoolState.CallID: Waiting] = [:]
    /// Fires at the earliest deadline of a waiting call.
    private var waitingDeadline: MovingDeadline?
    private var lastID = 0
    private var phase = Phase.open

    private struct Waiting {
        let turn: EventLoopPromise<ConnectionPoolState.ConnectionID?>
        let deadline: NIODeadline
    }

    /// A request, and the part of its reply that is collected.
    private struct Outgoing {
        let head: HTTPRequestHead
        let body: [ByteBuffer]
        let storage: ReplyStorage
        let isLastWord: Bool
    }

    private enum Phase {
        case open
        /// Only calls with `isLastWord` are sent.
        case ending
        case closed
    }

    /// Called before each new connection; throws if the connection is not permitted.
    package typealias Admission = @Sendable () async throws -> Void

    /// Checks the ends of each new connection before its first byte is sent, TLS included. It is called on the loop with
    /// the deadline of the call, and returns a future of that loop. A failure closes the connection. A connection that is
    /// closed needs no verdict.
    package typealias Gate = @Sendable (_ connection: any Channel, _ deadline: NIODeadline) -> EventLoopFuture<Void>

    /// - Parameter verifier: verifies certificate chains. Without it, a server that must prove its identity by an
    ///   authority cannot be reached.
    /// - Throws: a NIOSSL error if the library cannot make a TLS context.
    package init(
        target: RemotingTarget,
        loop: any EventLoop,
        settings: ChannelSettings = .standard,
        verifier: ChainVerifier? = nil,
        admission: Admission? = nil,
        gate: Gate? = nil
    ) throws {
        self.admission = admission
        self.target = target
        requestHead = HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: target.path,
            headers: [
                "Host": target.hostHeader, "User-Agent": "relativityd", "Content-Type": "application/octet-stream",
            ]
        )
        self.settings = settings
        self.loop = loop
        let tls: TLSPolicy? = if case .tls(let policy) = target.security { policy } else { nil }
        connector = RemotingConnector(
            address: target.address,
            timeout: settings.connectTimeout,
            loop: loop,
            tls: try tls.map { try ClientTLS(serverName: $0.serverName) },
            proof: tls?.proof,
            verifier: verifier,
            gate: gate,
            readBytes: settings.readBytes
        )
        pool = ConnectionPoolState(capacity: settings.connections, waitingLimit: settings.waiting)
    }

    /// The event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.executor.asUnownedSerialExecutor()
    }

    /// Sends a message and returns the body of the reply, which is a BinMessage unless the server sent something else
    /// with 200.
    ///
    /// - Parameters:
    ///   - clientID: sent instead of the message's own.
    ///   - deadline: for the complete call: waiting for a connection, connecting, TLS, sending and receiving.
    ///   - limit: maximum bytes of the reply's body, if less than in the settings.
    ///   - isLastWord: the call does not wait for others. If necessary it opens a connection beyond the channel's
    ///     limit, and it is sent after `endCalls` too. For the end of a session.
    ///   - wipesReply: the reply may repeat a secret. It is bounded by `wipedReplyLimit`, and overwritten unless it
    ///     is returned; then the caller must overwrite it.
    /// - Throws: `RemotingError` except `exception`, which the caller finds by decoding; `CancellationError`; the
    ///   errors of `admission`.
    package func post(
        _ message: ByteBuffer,
        as clientID: ClientID? = nil,
        deadline: Duration,
        limit: Int = .max,
        isLastWord: Bool = false,
        wipesReply: Bool = false
    ) async throws -> ByteBuffer {
        let storage = storage(limit, isWiped: wipesReply)
        let reply = try await reply(to: message, as: clientID, deadline, storage, isLastWord: isLastWord)
        do {
            reply.head?.wipeSharedStorage()
            return try ReplyBody.message(reply.body, status: reply.status)
        } catch {
            if wipesReply { reply.body.wipeSharedStorage() }
            throw error
        }
    }

    /// Sends a message as `post` does, and returns the reply as soon as its first bytes have arrived, however large
    /// it is. The caller must take the rest or abandon it; otherwise the connection cannot be used again.
    ///
    /// - Parameters:
    ///   - firstBytes: the number of these bytes, at least that of a header. A slow server's are fewer: see
    ///     `ChannelSettings.hold`.
    ///   - deadline: for the time until these bytes; after that only pauses of the server are bounded.
    ///   - isRepeatable: false for a call that may change data. The server could execute it twice if it was sent again.
    package func begin(
        _ message: ByteBuffer,
        as clientID: ClientID?,
        firstBytes: Int = 64 << 10,
        deadline: Duration,
        isRepeatable: Bool
    ) async throws -> ArrivingReply {
        let storage = ReplyStorage.pieces(max(firstBytes, MessageHeader.byteCount))
        let reply = try await reply(
            to: message,
            as: clientID,
            deadline,
            storage,
            isLastWord: false,
            isRepeatable: isRepeatable
        )
        return try ArrivingReply(reply, on: loop)
    }

    /// Maximum bytes of a reply that is overwritten after use.
    package static let wipedReplyLimit = 4 << 20

    /// Sends a message as `post` does, and returns the reply with any status. It may repeat a secret, so the caller
    /// must overwrite it.
    ///
    /// - Parameter limit: as in `post`; `wipedReplyLimit` applies too.
    package func raw(_ message: ByteBuffer, deadline: Duration, limit: Int = .max) async throws -> RawReply {
        let storage = storage(limit, isWiped: true)
        return RawReply(try await reply(to: message, as: nil, deadline, storage, isLastWord: false))
    }

    /// Sends a GET, without a message, and returns the reply with any status that is no redirect.
    ///
    /// - Parameters:
    ///   - path: nil for that of the target.
    ///   - deadline: as in `post`.
    ///   - limit: maximum bytes of the reply's body.
    /// - Throws: as `post`; `redirected`.
    package func get(
        _ path: String? = nil,
        deadline: Duration,
        limit: Int
    ) async throws -> (status: Int, failure: AdapterFailure?, body: ByteBuffer) {
        let uri = path ?? target.path
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: requestHead.headers)
        head.headers.remove(name: "Content-Type")
        let request = Outgoing(head: head, body: [], storage: .whole(limit), isLastWord: false)
        let reply = try await send(request, before: NIODeadline.now() + TimeAmount(deadline), isRepeatable: true)
        return (reply.status, reply.failure, reply.body)
    }

    private func storage(_ limit: Int, isWiped: Bool) -> ReplyStorage {
        let limit = min(limit, settings.limits.message)
        return isWiped ? .wiped(min(limit, Self.wipedReplyLimit)) : .whole(limit)
    }

    private func reply(
        to message: ByteBuffer,
        as clientID: ClientID?,
        _ deadline: Duration,
        _ storage: ReplyStorage,
        isLastWord: Bool,
        isRepeatable: Bool = true
    ) async throws -> HTTPReply {
        let deadline = NIODeadline.now() + TimeAmount(deadline)
        let (head, body) = try request(message, as: clientID)
        let request = Outgoing(head: head, body: body, storage: storage, isLastWord: isLastWord)
        return try await send(request, before: deadline, isRepeatable: isRepeatable)
    }

    private func send(
        _ request: Outgoing,
        before deadline: NIODeadline,
        isRepeatable: Bool
    ) async throws -> HTTPReply {
        let isLastWord = request.isLastWord
        let (connection, isKept) = try await lease(fresh: false, isLastWord: isLastWord, before: deadline)
        do {
            return try await exchange(request, over: connection, before: deadline)
        } catch let error as ClosedBeforeReply {
            // If the channel closed the connection itself, it was not stale: the server may have received the
            // request.
            guard isKept, isRepeatable || !error.wasSent, admits(isLastWord: isLastWord) else {
                throw Self.closedEarly
            }
        }
        let (fresh, _) = try await lease(fresh: true, isLastWord: isLastWord, before: deadline)
        do {
            return try await exchange(request, over: fresh, before: deadline)
        } catch is ClosedBeforeReply {
            throw Self.closedEarly
        }
    }

    /// Permits only calls with `isLastWord` from now on. Calls that wait or come later fail as `closed`. Calls in
    /// progress continue, and are not sent a second time.
    package func endCalls() {
        guard phase == .open else { return }
        phase = .ending
        failWaiting()
    }

    /// Closes every connection and opens no new ones. Calls that wait or come later fail as `closed`, calls in
    /// progress as `interrupted`. None is sent a second time.
    package func close() {
        phase = .closed
        failWaiting()
        waitingDeadline?.end()
        for channel in connections.values { channel.close(promise: nil) }
    }

    private func failWaiting() {
        for call in waiting.keys { abandon(call, RemotingError.closed) }
    }

    private func admits(isLastWord: Bool) -> Bool {
        switch phase {
        case .open: true
        case .ending: isLastWord
        case .closed: false
        }
    }

    /// Number of open connections, in use or idle.
    package var openConnections: Int { connections.count }

    /// Number of calls that wait for a connection.
    var waitingCalls: Int { waiting.count }

    private static let closedEarly = RemotingError.interrupted(.closedBeforeReply)

    /// The request's head and body. The bytes of the message are not copied, except for a header that gets another
    /// ClientID.
    private func request(
        _ message: ByteBuffer,
        as clientID: ClientID?
    ) throws(RemotingError) -> (head: HTTPRequestHead, body: [ByteBuffer]) {
        var head = requestHead
        head.headers.add(name: "Content-Length", value: String(message.readableBytes))
        guard let clientID else { return (head, [message]) }
        var (header, rest) = (ByteBuffer(), message)
        try MessageHeader.move(from: &rest, to: &header, as: clientID)
        return (head, [header, rest])
    }

    private func exchange(
        _ request: Outgoing,
        over connection: ConnectionPoolState.ConnectionID,
        before deadline: NIODeadline
    ) async throws -> HTTPReply {
        do {
            guard admits(isLastWord: request.isLastWord) else { throw RemotingError.closed }
            // The call has already failed for the caller, so the server must not execute it.
            guard deadline > .now() else { throw RemotingError.deadline }
            try Task.checkCancellation()
        } catch {
            release(connection, ifKept: true)
            throw error
        }
        guard let channel = connections[connection], channel.isActive else {
            throw ClosedBeforeReply(wasSent: false)
        }
        let promise = loop.makePromise(of: HTTPReply.self)
        let exchange = HTTPExchange(
            head: request.head,
            body: request.body,
            storage: request.storage,
            deadline: deadline,
            reply: promise
        )
        // Not in the closure below, which runs in a later turn of the loop. The connection could be closed by then, and
        // the handler that completes the reply removed. If the write fails, that handler fails the reply with a more
        // exact reason.
        channel.writeAndFlush(exchange, promise: nil)
        var reply = try await withTaskCancellationHandler {
            try await promise.futureResult.value()
        } onCancel: {
            promise.fail(CancellationError())
            channel.close(promise: nil)
        }
        reply.connection = channel
        if let rest = reply.rest {
            let keepsConnection = reply.keepsConnection
            let passage = TimeAmount(settings.passage)
            let long = loop.scheduleRepeatedTask(initialDelay: passage, delay: passage) { task in
                self.loop.reenter(self) { channel in
                    guard let handover = channel.pool.stepAside(connection) else { return channel.endPausedReply() }
                    task.cancel()
                    channel.hand(handover)
                }
            }
            passing[connection] = rest
            rest.whole.whenComplete { _ in
                long.cancel()
                self.loop.reenter(self) { $0.passing[connection] = nil }
            }
            rest.whole.whenSuccess { self.loop.reenter(self) { $0.release(connection, ifKept: keepsConnection) } }
        } else {
            release(connection, ifKept: reply.keepsConnection)
        }
        return reply
    }

    /// Ends the reply whose consumer has paused for the longest time, and too long, if calls wait for its connection.
    private func endPausedReply() {
        let pauses = passing.values.compactMap { body in body.pausedSince.map { (body: body, since: $0) } }
        guard pool.isExhausted, let longest = pauses.min(by: { $0.since < $1.since }),
            longest.since + TimeAmount(settings.pause) <= .now()
        else { return }
        longest.body.giveUp()
    }

    private func lease(
        fresh: Bool,
        isLastWord: Bool,
        before deadline: NIODeadline
    ) async throws
        -> (ConnectionPoolState.ConnectionID, isKept: Bool)
    {
        guard admits(isLastWord: isLastWord) else { throw RemotingError.closed }
        lastID += 1
        let call = lastID
        switch pool.request(call, fresh: fresh, waits: !isLastWord) {
        case .use(let connection): return (connection, true)
        case .open: break
        case .replace(let connection): connections[connection]?.close(promise: nil)
        case .refuse: throw RemotingError.overloaded
        case .wait:
            // Stored before any suspension, even a call to this actor, because the turn may come immediately.
            let turn = loop.makePromise(of: ConnectionPoolState.ConnectionID?.self)
            waiting[call] = Waiting(turn: turn, deadline: deadline)
            watchWaiting(until: deadline)
            if let connection = try await wait(for: turn, of: call) { return (connection, true) }
        }
        return (try await open(before: deadline), false)
    }

    private func wait(
        for turn: EventLoopPromise<ConnectionPoolState.ConnectionID?>,
        of call: ConnectionPoolState.CallID
    ) async throws
        -> ConnectionPoolState.ConnectionID?
    {
        let loop = loop
        return try await withTaskCancellationHandler {
            try await turn.futureResult.value()
        } onCancel: {
            loop.execute(for: self) { $0.abandon(call, CancellationError()) }
        }
    }

    /// Moves the timer to `deadline` if that is the earliest. The timer also fires if the call no longer waits.
    private func watchWaiting(until deadline: NIODeadline) {
        guard waiting.values.allSatisfy({ $0.deadline >= deadline }) else { return }
        let watch =
            waitingDeadline
            ?? MovingDeadline(on: loop) { [weak self, loop] in
                if let self { loop.reenter(self) { $0.abandonLate() } }
            }
        waitingDeadline = watch
        watch.move(to: deadline)
    }

    private func abandonLate() {
        let now = NIODeadline.now()
        for (call, one) in waiting where one.deadline <= now { abandon(call, RemotingError.deadline) }
        if let next = waiting.values.map(\.deadline).min() { waitingDeadline?.move(to: next) }
    }

    private func abandon(_ call: ConnectionPoolState.CallID, _ error: any Error) {
        pool.abandoned(call)
        waiting.removeValue(forKey: call)?.turn.fail(error)
    }

    private func open(before deadline: NIODeadline) async throws -> ConnectionPoolState.ConnectionID {
        let channel: any Channel
        do {
            try await admission?()
            channel = try await connector.connect(before: deadline) { [settings] pipeline in
                let secrets = SecretReplyHandler()
                let exchanges = ExchangeHandler(settings: settings, secrets: secrets)
                try pipeline.addHandler(secrets)
                try pipeline.addHandler(SurplusHandler(before: exchanges))
                try pipeline.addHandler(HTTPRequestEncoder())
                let decoder = HTTPResponseDecoder(informationalResponseStrategy: .forward)
                try pipeline.addHandler(ByteToMessageHandler(decoder))
                try pipeline.addHandler(exchanges)
            }.channel
            guard phase != .closed else {
                channel.close(promise: nil)
                throw RemotingError.closed
            }
        } catch {
            hand(pool.lost(nil))
            throw error
        }
        lastID += 1
        let connection = lastID
        connections[connection] = channel
        channel.closeFuture.whenComplete { _ in
            self.loop.reenter(self) { $0.lose(connection) }
        }
        return connection
    }

    private func release(_ connection: ConnectionPoolState.ConnectionID, ifKept isKept: Bool) {
        if isKept, connections[connection] != nil { hand(pool.returned(connection)) }
    }

    private func lose(_ connection: ConnectionPoolState.ConnectionID) {
        connections[connection] = nil
        hand(pool.lost(connection))
    }

    private func hand(_ handover: ConnectionPoolState.Handover) {
        switch handover {
        case .nobody: break
        case .lend(let connection, let call): waiting.removeValue(forKey: call)?.turn.succeed(connection)
        case .letOpen(let call): waiting.removeValue(forKey: call)?.turn.succeed(nil)
        case .close(let connection): connections[connection]?.close(promise: nil)
        }
    }
}

/// The limits and timeouts of one channel.
package struct ChannelSettings: Sendable, Hashable {
    /// Maximum number of connections to the target.
    package var connections = 16
    /// Maximum number of calls that wait for a connection; further calls are refused.
    package var waiting = 256
    /// Timeout for opening a connection, including the TLS handshake.
    package var connectTimeout = Duration.seconds(3)
    /// Idle time after which an unused connection is closed.
    package var idleTimeout = Duration.seconds(30)
    /// Maximum pause of the server within a reply that is passed on as it arrives, and of its consumer while calls wait
    /// for the connection.
    package var pause = Duration.seconds(60)
    /// Maximum time for which the first bytes of such a reply are collected.
    package var hold = Duration.milliseconds(500)
    /// Time after which such a reply no longer counts against the connection limit. It then continues in addition to
    /// the connections of waiting calls.
    package var passage = Duration.seconds(1)
    /// `message` limits the body of a reply.
    package var limits = WireLimits.standard
    /// Bytes of one read from the server; nil for the adaptive size of NIO.
    package var readBytes: Int?

    /// 16 connections, 256 waiting calls, 3 s to connect, 30 s idle.
    package static let standard = ChannelSettings()
}
