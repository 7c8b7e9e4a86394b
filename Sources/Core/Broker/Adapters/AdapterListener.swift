// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOHTTP1
package import NIOPosix
import Platform
import Remoting
import Services

/// The HTTP/1.1 server of one adapter: one POST for each call, and GET for the description of the services.
final class AdapterListener: Sendable {
    /// The address to listen on.
    enum Place: Sendable, Hashable {
        case socket(path: String)
        /// A port of 127.0.0.1; 0 selects a free one.
        case loopback(port: UInt16, path: String)
    }

    /// A request of a tool.
    enum Request: Sendable {
        /// A POST of a message.
        case message(ByteBuffer)
        /// A GET: for the server's description of its services, or another page.
        case page(ServerPath)

        /// The bytes of the message; none for a GET.
        var bytes: ByteBuffer { if case .message(let bytes) = self { bytes } else { ByteBuffer() } }
    }

    /// Answers one request on the event loop. Never throws: a failure is a reply too. Takes any memory beyond the
    /// request from the share.
    typealias Answer = @Sendable (Request, RequestShare) async -> AdapterReply

    let address: AdapterAddress
    private let channel: any Channel
    private let connections: AdapterConnections

    /// Binds the address; a Unix socket gets mode 0600.
    ///
    /// - Parameters:
    ///   - user: the user whose processes are served.
    ///   - audit: the log of refused processes.
    static func open(
        at place: Place,
        limits: AdapterLimits,
        budget: RequestBudget,
        loop: any EventLoop,
        user: UInt32 = geteuid(),
        audit: AuditLog? = nil,
        answer: @escaping Answer
    ) async throws -> AdapterListener {
        let connections = AdapterConnections(limit: limits.connections, loop: loop)
        let share = budget.share()
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 64)
            // A tool may close its sending half after the request and still wait for the reply.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                place.gate(of: channel, user: user, audit: audit).flatMapThrowing { gate in
                    guard connections.admit(channel) else { throw ChannelError.operationUnsupported }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ReadAhead())
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try pipeline.addHandler(HTTPServerPipelineHandler())
                    try pipeline.addHandler(
                        AdapterHandler(limits: limits, budget: share, gate: gate, answer: answer)
                    )
                }
            }
        do {
            let (channel, address) = try await bind(bootstrap, to: place)
            return AdapterListener(address: address, channel: channel, connections: connections)
        } catch let error as BrokerError {
            throw error
        } catch let error as IOError {
            throw BrokerError.adapterSocket(reason: place.reason(for: error.errnoCode))
        } catch {
            throw BrokerError.adapterSocket(reason: "\(error)")
        }
    }

    private static func bind(
        _ bootstrap: ServerBootstrap,
        to place: Place
    ) async throws -> (channel: any Channel, address: AdapterAddress) {
        switch place {
        case .socket(let path):
            let channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
            guard chmod(path, 0o600) == 0 else {
                let code = errno
                channel.close(promise: nil)
                unlink(path)
                throw BrokerError.adapterSocket(reason: "chmod: \(String(cString: strerror(code)))")
            }
            return (channel, .socket(path: path))
        case .loopback(let port, let path):
            let channel =
                try await bootstrap
                // Connections of an earlier run may linger on a configured port, which must not prevent binding it
                // again.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(to: try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))).get()
            guard let taken = channel.localAddress?.port.flatMap({ UInt16(exactly: $0) }) else {
                channel.close(promise: nil)
                throw BrokerError.adapterSocket(reason: "the system reports no port")
            }
            return (channel, .loopback(port: taken, path: path))
        }
    }

    init(address: AdapterAddress, channel: any Channel, connections: AdapterConnections) {
        self.address = address
        self.channel = channel
        self.connections = connections
    }

    /// Stops listening, closes the connections and removes the socket.
    func close() {
        channel.close(promise: nil)
        connections.closeAll()
        if case .socket(let path) = address { unlink(path) }
    }
}

extension AdapterListener.Place {
    /// The reason why no socket was made, as a clause.
    fileprivate func reason(for code: Int32) -> String {
        switch self {
        case .loopback(let port, _) where code == EADDRINUSE: "another program uses port \(port) of 127.0.0.1"
        case .loopback(let port, _): "port \(port) of 127.0.0.1: \(String(cString: strerror(code)))"
        case .socket(let path): "\(ShellWord.quote(path)): \(String(cString: strerror(code)))"
        }
    }

    /// The gate for the requests of a new connection; nil for a Unix socket.
    ///
    /// Fails with `ChannelError.operationUnsupported` for a connection of another user.
    fileprivate func gate(of channel: any Channel, user: UInt32, audit: AuditLog?) -> EventLoopFuture<LoopbackGate?> {
        guard case .loopback(_, let path) = self else { return Self.checkPeer(of: channel, user, audit).map { nil } }
        return channel.eventLoop.makeCompletedFuture { try Self.gate(of: channel, path) }
    }

    /// Checks the user of the process at the other end of a Unix socket: its mode and those of its directories may have
    /// been changed.
    private static func checkPeer(
        of channel: any Channel,
        _ user: UInt32,
        _ audit: AuditLog?
    ) -> EventLoopFuture<Void> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        // The kernel's struct ucred, which the module Glibc does not export.
        let credentials: EventLoopFuture<(pid: Int32, uid: UInt32, gid: UInt32)> = options.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        return credentials.flatMapThrowing { peer in
            let route = AccessRoute.adapter(sharesSession: true)
            let access = Access(peer: peer.uid, user: user, route: route, action: .connect, vault: .absent)
            guard access.refusal != nil else { return }
            audit?.note(AuditEntry(.peerRefused, .refused, peer: AuditPeer(CallingProcess(pid: peer.pid))))
            throw ChannelError.operationUnsupported
        }
    }

    private static func gate(of channel: any Channel, _ path: String) throws -> LoopbackGate {
        guard let here = channel.localAddress, let there = channel.remoteAddress, let port = here.port,
            TCPConnection(from: there, to: here)?.isOurs == true
        else { throw ChannelError.operationUnsupported }
        return LoopbackGate(port: UInt16(truncatingIfNeeded: port), path: path)
    }
}

/// The address at which an adapter takes calls.
package enum AdapterAddress: Sendable, Hashable {
    /// A Unix socket of mode 0600.
    case socket(path: String)
    /// A port of 127.0.0.1, and the path that requests must name; the path begins with a slash.
    case loopback(port: UInt16, path: String)

    /// The kind of this address.
    package var form: AdapterForm {
        switch self {
        case .socket: .socket
        case .loopback: .loopback
        }
    }

    /// `http://127.0.0.1:PORT/PATH`, or `http+unix://` with the percent-encoded path of the Unix socket instead of a
    /// host, as several HTTP clients accept it.
    package var url: String {
        switch self {
        case .socket(let path): "http+unix://\(PercentText.encode(path))/bin"
        case .loopback(let port, let path): "http://127.0.0.1:\(port)\(path)"
        }
    }
}

/// The kind of an adapter's address. The raw value is used in the API and in the configuration.
package enum AdapterForm: String, Sendable, Hashable, CaseIterable {
    case socket
    case loopback
}

/// Limits the number of connections to one adapter's socket, and closes them with the adapter.
final class AdapterConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// May be called off the loop; the state is accessed on the loop only.
    init(limit: Int, loop: any EventLoop) {
        self.limit = limit
        self.loop = loop
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Call on the loop.
    ///
    /// - Returns: false if the limit is reached, or after `closeAll`.
    func admit(_ channel: any Channel) -> Bool {
        guard !state.value.isClosed, state.value.channels.count < limit else { return false }
        let id = ObjectIdentifier(channel)
        state.value.channels[id] = channel
        channel.closeFuture.whenComplete { _ in self.state.value.channels[id] = nil }
        return true
    }

    func closeAll() {
        loop.execute {
            self.state.value.isClosed = true
            for channel in self.state.value.channels.values { channel.close(promise: nil) }
        }
    }
}

/// Stores the paths of configured loopback adapters, so that they stay valid for programs after a restart. Each path
/// is in a file of mode 0600.
package struct LoopbackPaths: Sendable {
    private let directory: String
    private let pool: NIOThreadPool

    /// - Parameters:
    ///   - directory: created with mode 0700 when the first path is made.
    ///   - pool: started by the caller; it outlives this value.
    package init(directory: String, pool: NIOThreadPool) {
        self.directory = directory
        self.pool = pool
    }

    /// The stored path of the adapter with this name. If there is none or it is unusable, makes and stores a new one.
    func path(of name: String) async throws -> String {
        try await pool.perform { [directory] in
            let directory = try ProtectedDirectory(directory, creating: true)
            let file = "adapter-\(name).path"
            if let bytes = try AtomicFile.read(file, in: directory, maximumBytes: 4 << 10),
                let text = String(validating: bytes, as: UTF8.self).map({
                    $0.hasSuffix("\n") ? String($0.dropLast()) : $0
                }),
                LoopbackGate.isUsable(text)
            {
                return text
            }
            let made = try LoopbackGate.makePath()
            try AtomicFile.write(Array("\(made)\n".utf8), to: file, in: directory)
            return made
        }
    }
}
