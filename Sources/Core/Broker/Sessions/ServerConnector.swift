// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
package import NIOCore
package import NIOPosix
package import Platform
package import Registry
package import Remoting

/// Leads from an endpoint to a channel to the very server that a login is bound to: the one way by which this daemon
/// opens connections to servers, and the one place where pins are checked.
package struct ServerConnector: Sendable {
    static let connectTimeout = Duration.seconds(3)

    let registry: EndpointRegistry
    let pool: NIOThreadPool
    let loop: any EventLoop
    /// What the administrator says of servers.
    package let trust: AdministratorsTrust
    /// When passwords went out again.
    let relogins: ReloginBook
    /// Who may send a stored login.
    let gate: LoginGate
    /// Asks the certificate authorities that are trusted.
    let verifier: ChainVerifier
    /// Decides who may answer on this machine.
    var peers = PeerTrust.current
    private let settings: ChannelSettings
    private let mayLead: AddressRule
    private let networkID: NetworkOf
    private let multicastNames: MulticastLookUp?

    /// Whether a source may lead to an address now.
    package typealias AddressRule = @Sendable (IPAddress, SourceName) -> Bool
    /// Recognises the network that an address of a server is on now; nil where it cannot be told.
    package typealias NetworkOf = @Sendable (IPAddress) async -> [UInt8]?
    /// Looks a `.local` name up by multicast DNS: empty where no host answers, nil where that cannot be asked now.
    package typealias MulticastLookUp = @Sendable (String) async -> [IPAddress]?

    /// - Parameters:
    ///   - authorities: who may vouch for servers.
    ///   - workers: where files are read; nil for `pool`, on which names are looked up.
    ///   - multicastNames: nil where there is no multicast DNS; the system's look-up is asked then.
    ///   - settings: of each channel to a server.
    ///   - mayLead: asked at each connection to where a source said: what was allowed when it said so may not be any more.
    package init(
        registry: EndpointRegistry,
        pool: NIOThreadPool,
        loop: any EventLoop,
        trust: AdministratorsTrust = AdministratorsTrust(),
        authorities: CertificateAuthorities = CertificateAuthorities(),
        workers: NIOThreadPool? = nil,
        multicastNames: MulticastLookUp? = nil,
        settings: ChannelSettings = .standard,
        mayLead: @escaping AddressRule,
        networkID: NetworkOf? = nil
    ) {
        self.registry = registry
        self.pool = pool
        self.loop = loop
        self.trust = trust
        verifier = ChainVerifier(authorities, on: workers ?? pool)
        self.multicastNames = multicastNames
        self.settings = settings
        self.mayLead = mayLead
        self.networkID = networkID ?? { await CurrentNetwork(loop: loop).id(towards: $0) }
        relogins = ReloginBook(loop: loop)
        gate = LoginGate(loop: loop)
    }

    /// The network that an identity holds on, for plain HTTP that leaves this machine; else nil, and nil too where it
    /// cannot be told.
    package func network(of identity: ServerIdentity) async -> [UInt8]? {
        identity.pin.strength == .address ? await networkID(identity.address) : nil
    }

    /// Where an endpoint is now: what a person typed, looked up, or what was announced. A `.local` name is looked up by
    /// multicast DNS; one that no host answers to, and any other, by the system, since some sites have `.local` in their
    /// DNS. Announcements do not say where a typed name is, although they are shown with it: only of a `.local` name that
    /// neither look-up finds do they.
    ///
    /// - Parameter lookUp: looks a host name up; nil does so at once, however long it takes.
    func candidates(for endpoint: Endpoint, lookUp: HostResolver.LookUp? = nil) async throws -> [IPAddress] {
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
                throw BrokerError.unreachable(StateReason(.addressRefused, detail: addresses))
            }
            return allowed
        }
    }

    private func multicastAddresses(of host: ServerHost) async -> [IPAddress] {
        guard host.isMulticastName, let found = await multicastNames?(host.text) else { return [] }
        return found.filter { !$0.isNoServer && mayLead($0, .avahi) }
    }

    /// Where an endpoint is sighted or was last, as far as the source that said so may lead there.
    private func allowed(_ endpoint: Endpoint) async -> [IPAddress] {
        guard let source = await registry.locatingSource(of: endpoint.id) else { return [] }
        return endpoint.addresses.filter { !$0.isNoServer && mayLead($0, source) }
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

    /// Whether the password and the session may go to the pinned address now, as far as that proves nothing by itself.
    func checkPermission(_ login: LoginBinding) async throws(BrokerError) {
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

    /// A channel that connects to a target, and each time has the server prove itself: over TLS by its pin, on this
    /// machine by the owner of the very connection, and elsewhere over plain HTTP by the permission alone.
    ///
    /// - Parameters:
    ///   - login: what goes over the channel is for; nil for calls without a login.
    ///   - admission: asked before each connection; nil asks for the login's permission.
    func channel(
        to target: RemotingTarget,
        of endpoint: EndpointID,
        for login: LoginBinding?,
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

    /// What is asked about the two ends of a connection, where they say more than the pin.
    private func gate(of endpoint: EndpointID, for login: LoginBinding) -> RemotingChannel.Gate? {
        let rule = PlaintextRule(login.pin, login.permission)
        if login.pin.strength == .loopback { return gate(of: endpoint, by: rule) }
        guard login.pin.isLinkLocal else { return nil }
        // An interface may have been renamed since the server was looked for.
        return { [loop] _, remote in
            let interface = remote.withSockAddr { pointer, size in
                IPAddress(socketAddress: UnsafeRawBufferPointer(start: pointer, count: size))
            }?.interfaceName
            guard let refusal = rule.refusal(knowing: [.interfaces([interface].compactMap { $0 })]) else {
                return loop.makeSucceededVoidFuture()
            }
            return loop.makeFailedFuture(BrokerError(refusal))
        }
    }

    /// Lets a connection within this machine pass if it ends at a process of a trusted user.
    private func gate(of endpoint: EndpointID, by rule: PlaintextRule) -> RemotingChannel.Gate {
        let check = PeerOwnerCheck(trust: peers, rule: rule, loop: loop, pool: pool) { [registry] in
            registry.constraintsNow(of: endpoint).acceptsUnknownOwner
        }
        return { check.check(from: $0, to: $1) }
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
    /// The interface that plain HTTP to a link-local address was allowed on.
    package let interface: String?
    /// What the server was called when somebody agreed to the pin; nil where that is not known.
    package let agreedHost: ServerHost?

    /// The user's permission for plain HTTP. A configured login has the administrator's in its place.
    var permission: PlaintextPermission {
        PlaintextPermission(user: allowsPlaintext ? .on(network: networkID, interface: interface) : .none)
    }
}

extension Endpoint {
    /// The endpoint as a server that is called `host`, if nothing but announcements says what it is called now. So the name
    /// in `Host:` and in the TLS handshake is the one that was agreed to. An announcement does not change it.
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
    /// zlib makes at most about a thousand bytes of one.
    private static let largestInflatedAtOnce = 4 << 10

    /// Tells the registry whether the server answered: every use of an endpoint passes here.
    ///
    /// - Parameter isContact: success means that the server has answered.
    func noting<Result: Sendable>(
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

    /// Whether to look into a message takes milliseconds, which is for the thread pool.
    static func isLarge(_ message: ByteBuffer) -> Bool {
        var start = message
        let header = try? MessageHeader(from: &start)
        // Its events may be compressed by themselves.
        guard header?.kind != .pollResponse else { return true }
        return message.readableBytes > (header?.isCompressed == true ? largestInflatedAtOnce : largestAtOnce)
    }

    static func isCompressed(_ message: ByteBuffer) -> Bool {
        var start = message
        return (try? MessageHeader(from: &start))?.isCompressed ?? false
    }
}

/// Spares callers the wait for a server that cannot be reached, and the server a crowd of them.
///
/// One failure holds nobody back: a server that was started anew is used at once. From the second in a row on, callers
/// fail with the reason of the last until a growing pause is over; then one of them tries for all.
struct Outage {
    /// Longer than a connection takes to fail.
    private static let trial = TimeAmount.seconds(4)

    private var backoff = Backoff(shortest: .milliseconds(250), longest: .seconds(5))
    private var hasFailed = false
    private var pause: (end: NIODeadline, reason: StateReason)?

    /// Why a caller fails now; nil lets it try.
    mutating func refusal(at now: NIODeadline) -> BrokerError? {
        guard let pause else { return nil }
        guard now >= pause.end else { return .unreachable(pause.reason) }
        self.pause = (now + Self.trial, pause.reason)
        return nil
    }

    /// No connection could be made.
    mutating func failed(_ reason: StateReason, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        if hasFailed { pause = (now + TimeAmount(backoff.pause(using: &random)), reason) }
        hasFailed = true
    }

    /// The server answered, whatever it said.
    mutating func ended() { self = Outage() }
}
