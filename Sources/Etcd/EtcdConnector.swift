// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Platform

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
        case .address(let address, _):
            return [try SocketAddress(ipAddress: "\(address)", port: Int(server.port))]
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
                reason: "the files for TLS cannot be used: look at ca_file, certificate_file and key_file"
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
