// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
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
    /// What the administrator says of servers.
    package let trust: AdministratorsTrust
    /// When passwords went out again.
    let relogins: ReloginBook
    private let mayLead: AddressRule
    private let networkID: NetworkOf

    /// Whether a source may lead to an address now.
    package typealias AddressRule = @Sendable (IPAddress, SourceName) -> Bool
    /// Recognises the network that an address of a server is on now; nil where it cannot be told.
    package typealias NetworkOf = @Sendable (IPAddress) async -> [UInt8]?

    /// - Parameter mayLead: asked at each connection to where a source said: what was allowed when it said so may not be any
    ///   more.
    package init(
        registry: EndpointRegistry,
        pool: NIOThreadPool,
        loop: any EventLoop,
        trust: AdministratorsTrust = AdministratorsTrust(),
        mayLead: @escaping AddressRule,
        networkID: NetworkOf? = nil
    ) {
        self.registry = registry
        self.pool = pool
        self.loop = loop
        self.trust = trust
        self.mayLead = mayLead
        self.networkID = networkID ?? { await CurrentNetwork(loop: loop).id(towards: $0) }
        relogins = ReloginBook(loop: loop)
    }

    /// The network that an identity holds on, for plain HTTP that leaves this machine; else nil, and nil too where it
    /// cannot be told.
    package func network(of identity: ServerIdentity) async -> [UInt8]? {
        identity.pin.tier == 1 ? await networkID(identity.address) : nil
    }

    /// Where an endpoint is now: what a person typed, looked up by the system, or what was announced. Announcements do not
    /// say where a typed name is, although they are shown with it: only of a `.local` name that the system does not look
    /// up by multicast do they, which is what it would have found.
    ///
    /// - Parameter lookUp: looks a host name up; nil does so at once, however long it takes.
    func candidates(for endpoint: Endpoint, lookUp: HostResolver.LookUp? = nil) async throws -> [IPAddress] {
        switch endpoint.origin {
        case .manual, .imported, .configured:
            do {
                return try await HostResolver(pool: pool).addresses(of: endpoint.url.host, lookUp: lookUp)
            } catch let error as BrokerError where endpoint.url.host.isMulticastName {
                let sighted = await allowed(endpoint)
                guard !sighted.isEmpty else { throw error }
                return sighted
            }
        case .discovered:
            let allowed = await allowed(endpoint)
            guard !allowed.isEmpty || endpoint.addresses.isEmpty else {
                let addresses = endpoint.addresses.prefix(ProbeLimits.addresses).map { "\($0)" }.joined(separator: ", ")
                throw BrokerError.unreachable(reason: "no source may lead to \(addresses) on this network")
            }
            return allowed
        }
    }

    /// Where an endpoint is sighted or was last, as far as the source that said so may lead there.
    private func allowed(_ endpoint: Endpoint) async -> [IPAddress] {
        guard let source = await registry.locatingSource(of: endpoint.id) else { return [] }
        return endpoint.addresses.filter { !$0.isNoServer && mayLead($0, source) }
    }

    /// The identity of an endpoint as it is now. For https it connects, as far as the TLS handshake.
    ///
    /// - Throws: `BrokerError.identityConflict` if the administrator says that it is another one.
    func identity(of endpoint: Endpoint) async throws -> ServerIdentity {
        var identity = try await observedIdentity(of: endpoint)
        guard let word = trust[endpoint.id] else { return identity }
        identity.isPlaintextPermitted = word.allowsPlaintext
        guard let expected = word.fingerprint else { return identity }
        let shown = try Fingerprint(of: identity.pin)
        guard shown == expected else {
            throw BrokerError.identityConflict(
                reason:
                    "it shows \(shown.text), and the administrator's file \(Printable(word.file)) has \(expected.text)"
            )
        }
        identity.isVouchedFor = true
        return identity
    }

    private func observedIdentity(of endpoint: Endpoint) async throws -> ServerIdentity {
        let candidates = try await candidates(for: endpoint)
        guard let first = candidates.first else { throw BrokerError.unreachable(reason: "no address is known") }
        let port = endpoint.url.port
        guard endpoint.url.scheme == .https else {
            return ServerIdentity(pin: .plain(first, port: port), address: first, port: port)
        }
        var failure = BrokerError.unreachable(reason: "no address answers")
        for address in candidates {
            do throws(BrokerError) {
                let key = try await observedKey(of: endpoint, at: address)
                return ServerIdentity(pin: .tls(spkiSHA256: key.bytes), address: address, port: port)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Where calls go: to the server that `login` is bound to, as the endpoint is now. Without a login nothing secret
    /// goes there, and any server will do that takes a connection.
    ///
    /// - Throws: `BrokerError.identityConflict` before anything was sent, `plaintextNotAllowed` where the permission
    ///   does not hold for the network this machine is on, `unreachable`, or `RemotingError.unreachable`.
    func target(of endpoint: Endpoint, for login: LoginBinding?) async throws -> RemotingTarget {
        guard let login else {
            let identity = try await identity(of: endpoint)
            let target = try target(of: endpoint, at: identity.address, pin: identity.pin)
            // For https the identity has just been seen there.
            if case .plain = target.security { try await TCPProbe.connect(to: target.address, on: loop) }
            return target
        }
        guard login.isVerified else { throw BrokerError.identityUnverified }
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
            let address = try await firstThatProves(login.pin, among: addresses, of: endpoint)
            try await checkPermission(login)
            return try target(of: endpoint, at: address, pin: login.pin)
        }
    }

    /// One address is taken as it is, since the channel checks the key on every connection. Of several the first is
    /// taken that shows the pinned key.
    private func firstThatProves(
        _ pin: Pin,
        among addresses: [IPAddress],
        of endpoint: Endpoint
    ) async throws -> IPAddress {
        guard let first = addresses.first else { throw BrokerError.unreachable(reason: "no address is known") }
        guard case .tls(let digest) = pin, addresses.count > 1 else { return first }
        var failure: BrokerError?
        for address in addresses {
            do throws(BrokerError) {
                let key = try await observedKey(of: endpoint, at: address)
                if key.bytes == digest { return address }
                failure = .identityConflict(reason: "it showed the TLS key \(key)")
            } catch {
                failure = failure ?? error
            }
        }
        throw failure ?? .unreachable(reason: "no address answers")
    }

    func observedKey(
        of endpoint: Endpoint,
        at address: IPAddress,
        before deadline: NIODeadline = .distantFuture
    ) async throws(BrokerError)
        -> PublicKeyFingerprint
    {
        do {
            return try await TLSProbe.observe(
                address: try SocketAddress(address, port: endpoint.url.port),
                serverName: endpoint.url.host.tlsServerName,
                on: loop,
                deadline: Self.connectTimeout,
                before: deadline
            )
        } catch let error as RemotingError {
            throw BrokerError(error)
        } catch {
            throw .unreachable(reason: "no TLS connection to \(address)")
        }
    }

    /// Whether the password and the session may go to the pinned address now, as far as that proves nothing by itself.
    func checkPermission(_ login: LoginBinding) async throws(BrokerError) {
        switch login.pin {
        case .tls:
            break
        case .loopback(let address, let port):
            guard login.allowsPlaintext else {
                throw .plaintextNotAllowed(reason: "this was not allowed for the login")
            }
            guard LoopbackListener.current.isTrusted(address: address, port: port) else {
                throw .identityConflict(reason: "another user of this machine listens on port \(port)")
            }
        case .address(let address, _):
            guard login.allowsPlaintext else {
                throw .plaintextNotAllowed(reason: "this was not allowed for the login")
            }
            let network = await networkID(address)
            guard network == login.networkID else {
                let here = network.map { "this one, \(HexText.encode($0))" } ?? "this one, which cannot be told"
                throw .plaintextNotAllowed(reason: "it was allowed on another network than \(here)")
            }
        }
    }

    private func target(of endpoint: Endpoint, at address: IPAddress, pin: Pin) throws -> RemotingTarget {
        var security = RemotingTarget.Security.plain
        if case .tls(let digest) = pin {
            guard let key = PublicKeyFingerprint(bytes: digest) else {
                throw BrokerError.identityConflict(reason: "the pin is damaged")
            }
            security = .tls(TLSPolicy(serverName: endpoint.url.host.tlsServerName, pin: key))
        }
        return try RemotingTarget(
            address: try SocketAddress(address, port: endpoint.url.port),
            hostHeader: "\(endpoint.url.host.urlText):\(endpoint.url.port)",
            path: endpoint.url.path,
            security: security
        )
    }
}

/// What a login's permission to be sent depends on.
package struct LoginBinding: Sendable, Hashable {
    package let pin: Pin
    /// A person has agreed to the pin on this machine.
    package let isVerified: Bool
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
    init(_ address: IPAddress, port: UInt16) throws {
        try self.init(ipAddress: address.description, port: Int(port))
    }
}
