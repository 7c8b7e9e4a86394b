// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
public import Logging
public import NIOCore
import NIOPosix
public import Varlink

/// Serves interfaces on Unix sockets, all on one event loop.
///
/// A connection runs one call at a time and replies in the order of the requests. Further requests wait in the kernel,
/// also while the peer does not read its replies. A peer that violates the protocol or exceeds a limit is disconnected.
public final class VarlinkServer: Sendable {
    private struct Refused: Error {}

    private let loop: any EventLoop
    private let limits: VarlinkLimits
    private let accept: @Sendable (VarlinkPeer) -> VarlinkAcceptDecision
    private let logger: Logger
    private let box: NIOLoopBoundBox<ServerContext?>
    private let makeContext: @Sendable () -> ServerContext

    /// - Parameters:
    ///   - interfaces: the interfaces in addition to `org.varlink.service`, which the server adds.
    ///   - http: the HTTP/1 interface on the same sockets; without it HTTP requests are rejected.
    ///   - failure: the error that a caller gets if a method throws an error that is not for the caller.
    ///   - loop: a loop of `MultiThreadedEventLoopGroup`. Calls run on it as well.
    ///   - accept: called once for each connection, before anything is read.
    ///   - onUsage: called on the loop when the figures change.
    ///   - onClose: called on the loop with `VarlinkCall.connection` when an accepted connection has closed.
    public init(
        service: VarlinkServiceInfo,
        interfaces: [any VarlinkInterface],
        limits: VarlinkLimits = VarlinkLimits(),
        http face: HTTPFace? = nil,
        failure: VarlinkError,
        loop: any EventLoop,
        logger: Logger,
        accept: @escaping @Sendable (VarlinkPeer) -> VarlinkAcceptDecision,
        onUsage: @escaping @Sendable (VarlinkUsage) -> Void = { _ in },
        onClose: @escaping @Sendable (_ connection: UInt64) -> Void = { _ in }
    ) throws(VarlinkServerError) {
        let methods = try MethodTable([ServiceInterface(service, others: interfaces)] + interfaces)
        self.loop = loop
        self.limits = limits
        self.accept = accept
        self.logger = logger
        box = .makeEmptyBox(valueType: ServerContext.self, eventLoop: loop)
        makeContext = {
            ServerContext(
                methods: methods,
                limits: limits,
                face: face,
                failure: failure,
                logger: logger,
                loop: loop,
                onUsage: onUsage,
                onClose: onClose
            )
        }
    }

    /// Listens at `path`, of up to 107 bytes, with mode 0600. A stale socket file of a dead server is replaced.
    ///
    /// - Throws: `VarlinkServerError`.
    public func listen(path: String) async throws {
        try await listen(descriptor: ListeningSocket.open(path: path))
    }

    /// Listens on a Unix stream socket that is already listening, such as one passed by systemd. The server owns the
    /// descriptor.
    public func listen(descriptor: Int32) async throws {
        try await loop.flatSubmit { [self] in
            let context = NIOLoopBound(onLoopContext(), eventLoop: loop)
            return ServerBootstrap(group: loop)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(
                    .recvAllocator,
                    value: FixedSizeRecvByteBufferAllocator(capacity: limits.readBytes)
                )
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(
                    .writeBufferWaterMark,
                    value: .init(low: max(1, limits.outboundBytes / 2), high: max(2, limits.outboundBytes))
                )
                .childChannelInitializer { [self] channel in admit(channel, context) }
                .withBoundSocket(descriptor)
                .map { context.value.add($0) }
        }.get()
    }

    /// Stops accepting connections. Idle and streaming connections are closed immediately, the others after their
    /// call or after `grace`. Returns when all are closed. The server cannot listen again.
    public func stop(within grace: Duration) async {
        let done = loop.makePromise(of: Void.self)
        loop.execute { [self] in
            let context = NIOLoopBound(onLoopContext(), eventLoop: loop)
            let timer = loop.scheduleTask(in: TimeAmount(grace)) { context.value.closeAll() }
            done.futureResult.whenComplete { _ in timer.cancel() }
            context.value.drain(done)
        }
        // This promise never fails.
        try? await done.futureResult.get()
    }

    private func onLoopContext() -> ServerContext {
        if let context = box.value { return context }
        let context = makeContext()
        box.value = context
        return context
    }

    private func admit(_ channel: any Channel, _ context: NIOLoopBound<ServerContext>) -> EventLoopFuture<Void> {
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        // The kernel's struct ucred, which the module Glibc does not export.
        let credentials: EventLoopFuture<(pid: Int32, uid: UInt32, gid: UInt32)> = options.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        return credentials.flatMapThrowing { [self] credentials in
            let peer = VarlinkPeer(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)
            let handler = ConnectionHandler(peer: peer, server: context.value)
            guard accept(peer) == .accept, context.value.enter(handler) else {
                logger.debug("connection refused", metadata: ["pid": "\(peer.pid)", "uid": "\(peer.uid)"])
                context.value.connectionRefused()
                throw Refused()
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }
}

/// The properties of a service that `org.varlink.service.GetInfo` returns.
public struct VarlinkServiceInfo: Sendable, Hashable {
    /// The name of the vendor.
    public let vendor: String
    /// The name of the product.
    public let product: String
    /// The version of the product.
    public let version: String
    /// The address of the project's web site.
    public let url: String

    /// A service with these values.
    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}

/// The resources that peers may use. If a peer exceeds a limit its connection is closed without a reply; an HTTP
/// request that is too long gets a response.
public struct VarlinkLimits: Sendable, Hashable {
    /// The number of open connections of all peers.
    public var connections = 256

    /// The number of open connections of one process.
    public var connectionsPerProcess = 32

    /// The length of one request without its NUL.
    public var frameBytes = 256 << 10

    /// The length up to which any number of requests are received at the same time.
    public var shortBytes = 16 << 10

    /// The number of longer requests of one process that are received at the same time. The others wait. The parsing of each
    /// may delay a request of another process by some milliseconds.
    public var longRequests = 1

    /// The length of one read. At most this waits for a running call to end. The requests of one read are started
    /// together, before those of other connections.
    public var readBytes = 4 << 10

    /// The nesting depth of arrays and objects in a request.
    public var frameDepth = 32

    /// The number of combining marks in a row in a string of a request.
    public var marks = 64

    /// The time from the first byte of a request to its NUL.
    public var frameTime: Duration = .seconds(5)

    /// The time without a call and without a byte.
    public var idleTime: Duration = .seconds(60)

    /// The time from the first reply of an upgrade to the last byte of the secret.
    public var secretTime: Duration = .seconds(60)

    /// The number of unsent bytes at which further replies and requests wait for the peer. At most this and one reply
    /// are held in memory.
    public var outboundBytes = 16 << 10

    /// The time in which a peer must take `progressBytes` of its unsent replies.
    public var stallTime: Duration = .seconds(30)

    /// The number of bytes that a peer must take in `stallTime`.
    public var progressBytes = 4 << 10

    /// A stream of which at most this is unsent may be paused without a limit of time; with 0 none may.
    public var pausedBytes = 0

    /// The length of an HTTP request's URL and headers together. The body is limited by `frameBytes`, the time by
    /// `frameTime`.
    public var headBytes = 8 << 10

    /// The number of headers of an HTTP request.
    public var headFields = 64

    /// The default limits.
    public init() {}

    /// The limits of a request as JSON. Most values of a request are longer than four bytes.
    var json: JSONLimits {
        JSONLimits(depth: frameDepth, bytes: frameBytes, values: frameBytes / 4, marks: marks)
    }
}

/// Figures about a server's load, for counters and for exiting when idle.
public struct VarlinkUsage: Sendable, Hashable {
    /// The number of open connections.
    public internal(set) var connections = 0
    /// The number of running calls.
    public internal(set) var runningCalls = 0
    /// The number of calls since the server was created, including running ones.
    public internal(set) var calls = 0
    /// The number of calls that ended with an error.
    public internal(set) var errors = 0
    /// The number of connections that were refused, by the hook or because of a limit.
    public internal(set) var refused = 0

    /// All figures are 0.
    public init() {}
}

/// Counts the open connections and refuses those above the limits.
struct Admission {
    private(set) var total = 0
    private var perProcess: [Int32: Int] = [:]
    private let limits: VarlinkLimits

    init(_ limits: VarlinkLimits) {
        self.limits = limits
    }

    /// - Returns: whether the connection is allowed. If so, `leave` must be called when it closes.
    mutating func enter(_ peer: VarlinkPeer) -> Bool {
        let held = perProcess[peer.pid, default: 0]
        guard total < limits.connections, held < limits.connectionsPerProcess else { return false }
        total += 1
        perProcess[peer.pid] = held + 1
        return true
    }

    mutating func leave(_ peer: VarlinkPeer) {
        guard let held = perProcess[peer.pid] else { return }
        total -= 1
        perProcess[peer.pid] = held > 1 ? held - 1 : nil
    }
}

/// Creates a socket at a path, with access for its owner only.
enum ListeningSocket {
    /// Binds and listens. A stale socket file, whose server is gone, is replaced.
    ///
    /// - Returns: a descriptor that the caller owns.
    static func open(path: String, backlog: Int32 = 128) throws(VarlinkServerError) -> Int32 {
        guard let address = UnixAddress(path) else { throw .unusablePath(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", errno: errno) }
        do throws(VarlinkServerError) {
            // Linux gives the file the mode of the socket: unlike a umask, this touches no other thread, and there is
            // no moment at which others could connect.
            guard fchmod(descriptor, 0o600) == 0 else { throw .system(call: "fchmod", errno: errno) }
            if address.bind(descriptor) != 0 {
                guard errno == EADDRINUSE else { throw .system(call: "bind", errno: errno) }
                try removeStaleSocket(address, path: path)
                guard address.bind(descriptor) == 0 else { throw .system(call: "bind", errno: errno) }
            }
            guard Glibc.listen(descriptor, backlog) == 0 else { throw .system(call: "listen", errno: errno) }
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func removeStaleSocket(_ address: UnixAddress, path: String) throws(VarlinkServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system(call: "lstat", errno: errno) }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let probe = socket(AF_UNIX, Int32(flags), 0)
        guard probe >= 0 else { throw .system(call: "socket", errno: errno) }
        defer { close(probe) }
        // If the backlog is full (EAGAIN), a server is there as well.
        guard address.connect(probe) != 0, errno == ECONNREFUSED else { throw .alreadyServed(path: path) }
        guard unlink(path) == 0 else { throw .system(call: "unlink", errno: errno) }
    }
}

/// The reason why a server could not be created or could not listen.
public enum VarlinkServerError: Error, Hashable {
    case invalidDescription(interface: String, VarlinkDescriptionError)
    /// The interface's name differs from that in its description, or is already used.
    case unusableName(interface: String)
    /// The path is too long for a socket address, empty, or contains a NUL.
    case unusablePath(String)
    /// Another server listens at the path.
    case alreadyServed(path: String)
    /// A file that is not a socket is at the path. It was not removed.
    case notASocket(path: String)
    case system(call: String, errno: Int32)
}

extension VarlinkServerError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    public var description: String {
        switch self {
        case .invalidDescription(let interface, let error): "description of \(interface): \(error)"
        case .unusableName(let interface): "interface name \(interface) is taken or not that of its description"
        case .unusablePath(let path): "\"\(path)\" cannot be the path of a socket"
        case .alreadyServed(let path): "another server answers at \(path)"
        case .notASocket(let path): "\(path) exists and is no socket"
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        }
    }
}
