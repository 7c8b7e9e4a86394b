// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import NIOCore
package import NIOPosix
import Platform
package import Registry
import Remoting

/// Leads from an endpoint to a channel to the very server that a login is bound to: the one way by which this daemon
/// opens connections to servers, and the one place where pins are checked.
package struct ServerConnector: Sendable {
    private static let connectTimeout = Duration.seconds(3)

    let registry: EndpointRegistry
    let pool: NIOThreadPool
    let loop: any EventLoop
    private let networkID: @Sendable () -> [UInt8]?

    /// - Parameter networkID: recognises the network this machine is on now; nil where it cannot be told.
    package init(
        registry: EndpointRegistry,
        pool: NIOThreadPool,
        loop: any EventLoop,
        networkID: @escaping @Sendable () -> [UInt8]? = NetworkID.current
    ) {
        self.registry = registry
        self.pool = pool
        self.loop = loop
        self.networkID = networkID
    }

    /// The network this machine is on now; nil where it cannot be told.
    package func currentNetworkID() -> [UInt8]? { networkID() }

    /// Where an endpoint is now: what the user typed, looked up, or what was announced.
    func candidates(for endpoint: Endpoint) async throws -> [IPAddress] {
        switch endpoint.origin {
        case .manual: return try await HostResolver(pool: pool).addresses(of: endpoint.url.host)
        case .discovered: return endpoint.addresses
        }
    }

    /// The identity of an endpoint as it is now. For https it connects, as far as the TLS handshake.
    func identity(of endpoint: Endpoint) async throws -> ServerIdentity {
        let candidates = try await candidates(for: endpoint)
        guard let first = candidates.first else { throw BrokerError.unreachable(reason: "no address is known") }
        let port = endpoint.url.port
        guard endpoint.url.scheme == .https else {
            return ServerIdentity(pin: .plain(first, port: port), address: first, port: port)
        }
        var failure = BrokerError.unreachable(reason: "no address answers")
        for address in candidates {
            do {
                let key = try await TLSProbe.observe(
                    address: try SocketAddress(address, port: port),
                    serverName: endpoint.url.host.tlsServerName,
                    on: loop,
                    deadline: Self.connectTimeout
                )
                return ServerIdentity(pin: .tls(spkiSHA256: key.bytes), address: address, port: port)
            } catch let error as RemotingError {
                failure = BrokerError(error)
            }
        }
        throw failure
    }

    /// A channel for calls without any login. Nothing secret goes through it, so no pin is asked for.
    func channel(to endpoint: Endpoint) async throws -> RemotingChannel {
        let identity = try await identity(of: endpoint)
        return try channel(to: endpoint, at: identity.address, pin: identity.pin)
    }

    /// A channel to the server that `login` is bound to, as the endpoint is now.
    ///
    /// - Throws: `BrokerError.identityConflict` before anything was sent, `plaintextNotAllowed` where the permission
    ///   does not hold for the network this machine is on, or `unreachable`.
    func channel(to endpoint: Endpoint, for login: LoginBinding) async throws -> RemotingChannel {
        let check = PinCheck(
            login.pin,
            scheme: endpoint.url.scheme,
            port: endpoint.url.port,
            candidates: try await candidates(for: endpoint)
        )
        switch check {
        case .conflict(let reason):
            throw BrokerError.identityConflict(reason: reason)
        case .connect(let addresses):
            guard let address = addresses.first else { throw BrokerError.unreachable(reason: "no address is known") }
            try checkPermission(login)
            return try channel(to: endpoint, at: address, pin: login.pin)
        }
    }

    private func checkPermission(_ login: LoginBinding) throws(BrokerError) {
        switch login.pin {
        case .tls:
            break
        case .loopback(let address, let port):
            guard LoopbackListener.isTrusted(address: address, port: port) else {
                throw .identityConflict(reason: "another user of this machine listens on port \(port)")
            }
        case .address:
            guard login.allowsPlaintext else {
                throw .plaintextNotAllowed(reason: "this was not allowed for the login")
            }
            guard networkID() == login.networkID else {
                throw .plaintextNotAllowed(reason: "it was allowed on another network than this")
            }
        }
    }

    private func channel(to endpoint: Endpoint, at address: IPAddress, pin: Pin) throws -> RemotingChannel {
        var security = RemotingTarget.Security.plain
        if case .tls(let digest) = pin {
            guard let key = PublicKeyFingerprint(bytes: digest) else {
                throw BrokerError.identityConflict(reason: "the pin is damaged")
            }
            security = .tls(TLSPolicy(serverName: endpoint.url.host.tlsServerName, pin: key))
        }
        let target = try RemotingTarget(
            address: try SocketAddress(address, port: endpoint.url.port),
            hostHeader: "\(endpoint.url.host.urlText):\(endpoint.url.port)",
            path: endpoint.url.path,
            security: security
        )
        return try RemotingChannel(target: target, loop: loop)
    }
}

/// What a login's permission to be sent depends on.
package struct LoginBinding: Sendable, Hashable {
    package let pin: Pin
    package let allowsPlaintext: Bool
    /// The network a plain HTTP login was allowed on.
    package let networkID: [UInt8]?
}

extension ServerHost {
    /// What TLS may name in its handshake: a host name, never an address (RFC 6066, section 3).
    fileprivate var tlsServerName: String? {
        if case .name(let name) = self { return name }
        return nil
    }
}

extension SocketAddress {
    fileprivate init(_ address: IPAddress, port: UInt16) throws {
        try self.init(ipAddress: address.description, port: Int(port))
    }
}
