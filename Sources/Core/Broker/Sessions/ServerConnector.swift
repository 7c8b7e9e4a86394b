// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints
import EventLoops
package import NIOCore
package import NIOPosix
import Platform
package import Registry
package import Remoting

/// Makes channels to the servers that logins are bound to. The daemon opens connections to servers only through it.
///
/// `PinCheck` compares a pin with the endpoint's scheme, addresses and port. `PeerCheck` verifies it in the TLS
/// handshake of each connection. On this machine, `PeerOwnerCheck` checks the owner of the server process.
package struct ServerConnector: Sendable {
    static let connectTimeout = Duration.seconds(3)

    let registry: EndpointRegistry
    let pool: NIOThreadPool
    let loop: any EventLoop
    /// The administrator's entries for servers.
    package let trust: AdministratorsTrust
    /// The times when passwords were sent again.
    let relogins: ReloginHistory
    /// The gate that permits one login attempt at a time for each stored login.
    let gate: LoginGate
    /// The alternate addresses that are in use.
    package let inUse = PlacesInUse()
    /// Verifies certificates with the trusted authorities.
    let verifier: ChainVerifier
    /// Decides which processes on this machine are trusted as servers.
    var peers = PeerTrust.current
    private let settings: ChannelSettings
    private let allowsAddress: AddressRule
    private let networkID: NetworkOf
    private let multicastNames: MulticastLookUp?
    private let reach: ServerReach

    /// Returns whether a source may currently name an address.
    package typealias AddressRule = @Sendable (IPAddress, SourceName) -> Bool
    /// Returns the ID of the network through which a server's address is reached now; nil if it cannot be determined.
    package typealias NetworkOf = @Sendable (IPAddress) async -> [UInt8]?
    /// Looks up a `.local` name by multicast DNS. The result is empty if no host answers, and nil if multicast DNS
    /// cannot be used now.
    package typealias MulticastLookUp = @Sendable (String) async -> [IPAddress]?

    /// - Parameters:
    ///   - authorityFile: the trusted certificate authorities, in PEM; nil for those of the system.
    ///   - workers: the threads that check certificates and read files; nil uses `pool`, which looks up names.
    ///   - reach: the servers that connections may go to.
    ///   - multicastNames: nil if there is no multicast DNS. Then the system's look-up is used.
    ///   - settings: the settings of each channel to a server.
    ///   - allowsAddress: called whenever the addresses of a server are determined, because a rule that allowed an
    ///     address earlier may have changed.
    ///   - networkID: nil uses `CurrentNetwork`.
    package init(
        registry: EndpointRegistry,
        pool: NIOThreadPool,
        loop: any EventLoop,
        trust: AdministratorsTrust = AdministratorsTrust(),
        authorityFile: String? = nil,
        workers: NIOThreadPool? = nil,
        reach: ServerReach = .network,
        multicastNames: MulticastLookUp? = nil,
        settings: ChannelSettings = .standard,
        allowsAddress: @escaping AddressRule,
        networkID: NetworkOf? = nil
    ) {
        self.registry = registry
        self.pool = pool
        self.loop = loop
        self.trust = trust
        verifier = ChainVerifier(CertificateAuthorities(file: authorityFile), on: workers ?? pool)
        self.reach = reach
        self.multicastNames = multicastNames
        self.settings = settings
        self.allowsAddress = allowsAddress
        self.networkID = networkID ?? { await CurrentNetwork(loop: loop).id(towards: $0) }
        relogins = ReloginHistory(loop: loop)
        gate = LoginGate(loop: loop)
    }

    /// The network that an identity is valid on, for plain HTTP that leaves this machine. Nil for every other identity,
    /// and if the network cannot be determined.
    package func network(of identity: ServerIdentity) async -> [UInt8]? {
        identity.pin.strength == .address ? await networkID(identity.address) : nil
    }

    /// The addresses to connect to.
    ///
    /// For a discovered endpoint: the announced addresses that its source may still name. For an added endpoint: a
    /// `.local` name is looked up by multicast DNS. If no host answers, and for every other name, the system's look-up
    /// is used, because some sites have `.local` in their DNS. Announced addresses are not used for a name that the
    /// user typed, because any host on the link can announce others. The exception is a `.local` name that neither
    /// look-up finds.
    ///
    /// - Parameter lookUp: looks up a host name; nil uses the system's look-up, without a timeout.
    /// - Throws: `BrokerError.unreachable` if no address is found or allowed.
    func candidates(for endpoint: Endpoint, lookUp: HostResolver.LookUp? = nil) async throws -> [IPAddress] {
        if let known = try reach.addresses(of: endpoint.url.host) { return known }
        switch endpoint.origin {
        case .manual, .imported, .configured:
            let answered = await multicastAddresses(of: endpoint.url.host)
            guard answered.isEmpty else { return answered }
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
                throw BrokerError.unreachable(StateReason(code: .addressRefused, detail: addresses))
            }
            return allowed
        }
    }

    private func multicastAddresses(of host: ServerHost) async -> [IPAddress] {
        guard host.isMulticastName, let found = await multicastNames?(host.text) else { return [] }
        return found.filter { !$0.isNoServer && allowsAddress($0, .avahi) }
    }

    /// The addresses that are announced, or were last, and that their source may name now.
    private func allowed(_ endpoint: Endpoint) async -> [IPAddress] {
        guard let source = await registry.locatingSource(of: endpoint.id) else { return [] }
        return endpoint.addresses.filter { !$0.isNoServer && allowsAddress($0, source) }
    }

    /// The target of calls: the server that `login` is bound to, at the endpoint's current address. Without a login no
    /// secret is sent, so any server that accepts a connection is used.
    ///
    /// - Throws: `BrokerError.identityUnverified` or `identityConflict` before anything was sent; `plaintextNotAllowed`
    ///   if the permission does not hold for the current network; `unreachable`, or `RemotingError.unreachable`.
    func target(of endpoint: Endpoint, for login: PinnedEndpoint?) async throws -> RemotingTarget {
        guard let login else {
            let identity = try await identity(of: endpoint)
            let target = try target(of: endpoint, at: identity.address, pin: identity.pin)
            // For https, `identity` has just connected to the server.
            if case .plain = target.security { try await TCPProbe.connect(to: target.address, on: loop) }
            return target
        }
        guard login.isVerified else { throw BrokerError.identityUnverified }
        let endpoint = endpoint.named(login.agreedHost)
        let check = PinCheck(
            login.pin,
            scheme: endpoint.url.scheme,
            port: endpoint.url.port,
            candidates: try await candidates(for: endpoint),
            permission: login.permission
        )
        switch check {
        case .conflict(let reason):
            throw BrokerError.identityConflict(reason)
        case .refused(let refusal):
            throw BrokerError(refusal)
        case .connect(let addresses):
            let address = try await firstThatProves(login.pin, among: addresses, of: endpoint)
            try await checkPermission(login)
            return try target(of: endpoint, at: address, pin: login.pin)
        }
    }

    /// Checks that the password and the session may be sent to the pinned address now, if the pin alone proves nothing.
    ///
    /// - Throws: `BrokerError.plaintextNotAllowed`.
    func checkPermission(_ login: PinnedEndpoint) async throws(BrokerError) {
        let rule = PlaintextRule(login.pin, login.permission)
        var refusal = rule.refusal()
        if refusal == nil, case .address(let address, _) = login.pin {
            refusal = rule.refusal(knowing: [.network(await networkID(address))])
        }
        if let refusal { throw BrokerError(refusal) }
    }

    private func target(of endpoint: Endpoint, at address: IPAddress, pin: Pin) throws -> RemotingTarget {
        try RemotingTarget(
            address: try SocketAddress(address, port: endpoint.url.port),
            hostHeader: "\(endpoint.url.host.urlText):\(endpoint.url.port)",
            path: endpoint.url.path,
            security: try endpoint.policy(proving: pin).map { .tls($0) } ?? .plain
        )
    }

    /// Makes a channel to a target. The server must prove itself on each connection: over TLS by its pin, and on this
    /// machine by the owner of the connection's other end. For plain HTTP to another machine only the permission
    /// counts.
    ///
    /// - Parameters:
    ///   - login: the login whose data is sent over the channel; nil for calls without a login.
    ///   - admission: called before each connection; nil checks the login's permission.
    func channel(
        to target: RemotingTarget,
        of endpoint: EndpointID,
        for login: PinnedEndpoint?,
        admission: RemotingChannel.Admission? = nil
    ) throws -> RemotingChannel {
        var admission = admission
        if admission == nil, let login, !login.pin.strength.isEncrypted {
            admission = { try await checkPermission(login) }
        }
        return try RemotingChannel(
            target: target,
            loop: loop,
            settings: settings,
            verifier: verifier,
            admission: admission,
            gate: login.flatMap { gate(of: endpoint, for: $0) }
        )
    }

    /// The check of a connection's two addresses; nil if they add nothing to the pin.
    private func gate(of endpoint: EndpointID, for login: PinnedEndpoint) -> RemotingChannel.Gate? {
        let rule = PlaintextRule(login.pin, login.permission)
        if login.pin.strength == .loopback { return gate(of: endpoint, by: rule) }
        guard login.pin.isLinkLocal else { return nil }
        // The interface may have been renamed since the address was looked up.
        return { [loop] connection, _ in
            let interface = connection.remoteAddress?.withSockAddr { pointer, size in
                IPAddress(socketAddress: UnsafeRawBufferPointer(start: pointer, count: size))
            }?.interfaceName
            guard let refusal = rule.refusal(knowing: [.interfaces([interface].compactMap { $0 })]) else {
                return loop.makeSucceededVoidFuture()
            }
            return loop.makeFailedFuture(BrokerError(refusal))
        }
    }

    /// The check that a connection within this machine ends at a process of a trusted user.
    private func gate(of endpoint: EndpointID, by rule: PlaintextRule) -> RemotingChannel.Gate {
        let check = PeerOwnerCheck(trust: peers, rule: rule, loop: loop, pool: pool) { [registry] in
            registry.constraintsNow(of: endpoint).acceptsUnknownOwner
        }
        return { check.check($0, before: $1) }
    }
}

extension Endpoint {
    /// Returns the endpoint with the host `host`, if only announcements name its host now. So `Host:` and the TLS
    /// handshake contain the name that the user has verified, and an announcement cannot change it.
    func named(_ host: ServerHost?) -> Endpoint {
        guard origin == .discovered, let host else { return self }
        var endpoint = self
        endpoint.url.host = host
        return endpoint
    }
}

extension SocketAddress {
    init(_ address: IPAddress, port: UInt16) throws {
        try self.init(ipAddress: address.description, port: Int(port))
    }
}

extension ServerConnector {
    private static let largestAtOnce = 256 << 10
    /// zlib inflates one byte to about a thousand bytes at most.
    private static let largestInflatedAtOnce = 4 << 10

    /// Performs a use of an endpoint and reports to the registry whether the server answered. Every use goes through
    /// this.
    ///
    /// - Parameter isContact: whether success means that the server has answered.
    func recordingContact<Result: Sendable>(
        _ endpoint: EndpointID,
        isContact: Bool = true,
        _ use: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await use()
            if isContact { await registry.note(.reached, for: endpoint) }
            return result
        } catch {
            switch error as? BrokerError ?? (error as? RemotingError).map({ BrokerError($0) }) {
            case .unreachable(let reason): await registry.note(.failed(reason), for: endpoint)
            case .identityConflict(let reason): await registry.note(.conflict(reason), for: endpoint)
            case .loginRejected, .server, .protocolFailure: await registry.note(.reached, for: endpoint)
            default: break
            }
            throw error
        }
    }

    /// Whether parsing a message takes milliseconds, so that it must be done on the thread pool.
    static func isLarge(_ message: ByteBuffer) -> Bool {
        var start = message
        let header = try? MessageHeader(from: &start)
        // Its events may be compressed even if the message is not.
        guard header?.kind != .pollResponse else { return true }
        return message.readableBytes > (header?.isCompressed == true ? largestInflatedAtOnce : largestAtOnce)
    }

    static func isCompressed(_ message: ByteBuffer) -> Bool {
        var start = message
        return (try? MessageHeader(from: &start))?.isCompressed ?? false
    }
}

/// Circuit breaker for a server that cannot be reached. It spares callers the wait, and the server many attempts at a
/// time.
///
/// After one failure callers still try, because a server that was restarted is used immediately. From the second
/// failure in a row on, callers fail with the last reason until the backoff is over. Then one caller tries for all.
struct CircuitBreaker {
    /// The time for one attempt, longer than a connection takes to fail.
    private static let trial = TimeAmount.seconds(4)

    private var backoff = Backoff(shortest: .milliseconds(250), longest: .seconds(5))
    private var hasFailed = false
    private var pause: (end: NIODeadline, reason: StateReason)?

    /// Returns the error with which a caller fails now; nil if it may try. After the pause this caller tries for all, so it
    /// has to connect.
    mutating func refusal(at now: NIODeadline) -> BrokerError? {
        if let error = state(at: now) { return error }
        if let pause { self.pause = (now + Self.trial, pause.reason) }
        return nil
    }

    /// Returns the error with which a caller fails now, for a caller that does not connect.
    func state(at now: NIODeadline) -> BrokerError? {
        guard let pause, now < pause.end else { return nil }
        return .unreachable(pause.reason)
    }

    /// Records that no connection could be made.
    mutating func failed(_ reason: StateReason, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        if hasFailed { pause = (now + TimeAmount(backoff.pause(using: &random)), reason) }
        hasFailed = true
    }

    /// Records that the server answered, with any reply.
    mutating func ended() { self = CircuitBreaker() }
}
