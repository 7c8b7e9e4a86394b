// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import NIOCore
internal import NIOPosix
internal import Platform

/// Queries the servers in turn, for two rounds, until one answers. With three servers that do not respond, a query
/// takes at most 36 seconds.
struct DNSClient: Sendable {
    private static let rounds = 2

    let loop: any EventLoop

    /// Fails with a `DNSError` only: the last one that is not `silence`, if any.
    func ask(_ question: DNSQuestion, of servers: [AddressAndPort]) -> EventLoopFuture<DNSAnswer> {
        let attempts = Array(repeatElement(servers, count: Self.rounds).joined())
        return ask(question, attempts[...], error: servers.isEmpty ? .noServer : .silence)
    }

    private func ask(
        _ question: DNSQuestion,
        _ attempts: ArraySlice<AddressAndPort>,
        error: DNSError
    ) -> EventLoopFuture<DNSAnswer> {
        guard let server = attempts.first else { return loop.makeFailedFuture(error) }
        return reply(to: question, from: server)
            .flatMapThrowing { try DNSAnswer($0, to: question) }
            .flatMapError { failure in
                let failure = failure as? DNSError ?? .silence
                return ask(question, attempts.dropFirst(), error: failure == .silence ? error : failure)
            }
    }

    private func reply(to question: DNSQuestion, from server: AddressAndPort) -> EventLoopFuture<DNSReply> {
        let attempt = DNSAttempt(question: question, server: server, loop: loop)
        return attempt.start(over: .datagram).flatMap { reply in
            reply.isTruncated ? attempt.start(over: .stream) : loop.makeSucceededFuture(reply)
        }
    }
}

/// The DNS servers to query, in this order.
package enum DNSServers: Sendable, Hashable {
    /// The servers in a file such as `/etc/resolv.conf` (resolv.conf(5)). It is read again for each round of queries,
    /// because networks change.
    case file(path: String)
    case fixed([AddressAndPort])

    /// glibc uses at most three servers (resolv.conf(5)). If three do not respond, a query takes long enough.
    static let maximum = 3
    private static let port: UInt16 = 53
    private static let maximumFileBytes = 64 << 10

    var list: [AddressAndPort] {
        switch self {
        case .file(let path):
            TextFile.read(path, maximumBytes: Self.maximumFileBytes).map(Self.servers(in:)) ?? []
        case .fixed(let servers):
            Array(servers.prefix(Self.maximum))
        }
    }

    /// The `nameserver` lines of a resolv.conf. If there are none, this machine is queried, as by glibc.
    static func servers(in text: String) -> [AddressAndPort] {
        let named = text.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            return words.count >= 2 && words[0] == "nameserver" ? String(words[1]) : nil
        }
        let usual = IPAddress("127.0.0.1").map { [AddressAndPort($0, port: port)] } ?? []
        return named.isEmpty ? usual : Array(named.compactMap(server).prefix(maximum))
    }

    /// - Parameter text: an address. The scope of a link-local one is an index, or an interface's name as in `fe80::1%eth0`.
    private static func server(_ text: String) -> AddressAndPort? {
        let parts = text.split(separator: "%", maxSplits: 1)
        let index = parts.count == 2 ? if_nametoindex(String(parts[1])) : 0
        let address = index > 0 ? "\(parts[0])%\(index)" : text
        return AddressAndPort("[\(address)]", defaultPort: port) ?? AddressAndPort(address, defaultPort: port)
    }
}

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
                case .datagram:
                    let handler = AnswerHandler<AddressedEnvelope<ByteBuffer>>(promise) {
                        question.reply(in: $0.data, id: id)
                    }
                    try pipeline.addHandler(handler)
                case .stream:
                    var received = ByteBuffer()
                    let handler = AnswerHandler<ByteBuffer>(promise) { piece in
                        received.writeImmutableBuffer(piece)
                        return try question.reply(inStream: received, id: id)
                    }
                    try pipeline.addHandler(handler)
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

/// Waits for the answer to a query, and fails if there is none at the end of the connection.
private final class AnswerHandler<Inbound>: ChannelInboundHandler {
    typealias InboundIn = Inbound

    private let promise: EventLoopPromise<DNSReply>
    private let read: (Inbound) throws -> DNSReply?

    /// - Parameter read: returns nil as long as the answer is not there.
    init(_ promise: EventLoopPromise<DNSReply>, _ read: @escaping (Inbound) throws -> DNSReply?) {
        self.promise = promise
        self.read = read
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            if let reply = try read(unwrapInboundIn(data)) { promise.succeed(reply) }
        } catch {
            promise.fail(error)
        }
    }

    /// An ICMP error of this machine or of a router reports that the server cannot be reached.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(DNSError.silence)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(DNSError.silence)
    }
}

extension DNSQuestion {
    /// The reply in a datagram. Other datagrams are ignored, because any host can send one.
    fileprivate func reply(in datagram: ByteBuffer, id: UInt16) -> DNSReply? {
        let reply = try? DNSReply(parsing: Array(datagram.readableBytesView))
        return reply.flatMap { $0.answers(self, id: id) ? $0 : nil }
    }

    /// The reply in a stream of one message after its length (RFC 1035, section 4.2.2). Input after it is not read.
    ///
    /// - Returns: nil if it is not complete.
    fileprivate func reply(inStream received: ByteBuffer, id: UInt16) throws(DNSError) -> DNSReply? {
        let message = received.getLengthPrefixedSlice(at: received.readerIndex, as: UInt16.self)
        guard let message else { return nil }
        guard let reply = reply(in: message, id: id), !reply.isTruncated else { throw .malformed }
        return reply
    }
}

/// Why a question has no answer.
enum DNSError: Error, Hashable {
    /// resolv.conf names no server, or none by an address.
    case noServer
    /// No server answered in time, or none could be reached.
    case silence
    /// A server answered that it cannot or will not (RFC 1035, section 4.1.1: 1, 2, 4, 5).
    case refused(code: UInt8)
    /// A reply that breaks off or contradicts itself.
    case malformed
}

extension DNSError {
    /// The same as a fault of the source.
    ///
    /// - Parameters:
    ///   - asked: the servers, in the order in which they were asked.
    ///   - source: where their addresses are from.
    func fault(asked: [AddressAndPort], from source: DNSServers) -> SourceFault {
        let servers = asked.map { "\($0)" }
        let path: String? = if case .file(let path) = source { path } else { nil }
        return switch self {
        case .noServer: SourceFault(.dnsNoServer, path: path)
        case .silence: SourceFault(code: .dnsSilent, servers: servers, path: path)
        case .refused(let code): SourceFault(code: .dnsError, servers: servers, path: path, number: Int64(code))
        case .malformed: SourceFault(code: .dnsMalformed, servers: servers, path: path)
        }
    }
}
