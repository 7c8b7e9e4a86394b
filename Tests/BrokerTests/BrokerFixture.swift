// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Logging
import NIOCore
import NIOPosix
import Platform
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

extension IPAddress {
    static let localhost = loopback(1)
    static let otherLocalhost = loopback(2)

    private static func loopback(_ last: UInt8) -> IPAddress {
        guard let address = IPAddress(bytes: [127, 0, 0, last]) else { preconditionFailure("four bytes") }
        return address
    }
}

/// A broker with its own vault and registry, in directories of one test.
final class BrokerFixture: Sendable {
    let temporary = TemporaryDirectory()
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let arena: SecretArena
    let registry: EndpointRegistry
    let store: CredentialStore
    let connector: ServerConnector
    let broker: ConnectionBroker
    private let running: Task<Void, Never>
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init(
        _ limits: AdapterLimits = AdapterLimits(),
        networkID: [UInt8]? = nil,
        allowsAddress: @escaping ServerConnector.AddressRule = { _, _ in true },
        lockPolicy: VaultLockPolicy = .standard,
        audit: String? = nil,
        network: ServerConnector.NetworkOf? = nil,
        authorityFile: String? = nil,
        multicastNames: ServerConnector.MulticastLookUp? = nil,
        peers: PeerTrust = .current,
        logger: Logger = BrokerFixture.logger
    ) async throws {
        arena = try SecretArena()
        for name in ["a", "g"] { _ = try ProtectedDirectory(temporary.path(of: name), creating: true) }
        registry = EndpointRegistry(
            loop: loop,
            store: EndpointStore(directory: temporary.path(of: "e"), pool: .singleton)
        )
        var options = VaultOptions(directory: temporary.path(of: "v"))
        options.cost = .minimum
        options.lockPolicy = lockPolicy
        if let audit {
            options.audit = AuditLog(directory: temporary.path(of: audit), loop: loop, pool: .singleton)
        }
        store = CredentialStore(options, loop: loop, pool: .singleton)
        var connector = ServerConnector(
            registry: registry,
            pool: .singleton,
            loop: loop,
            authorityFile: authorityFile,
            multicastNames: multicastNames,
            settings: ReplyShape.current.channelSettings,
            allowsAddress: allowsAddress,
            networkID: network ?? { _ in networkID }
        )
        connector.peers = peers
        self.connector = connector
        broker = ConnectionBroker(
            connector: connector,
            store: store,
            directory: temporary.path(of: "a"),
            grantsDirectory: temporary.path(of: "g"),
            limits: limits,
            logger: logger
        )
        running = Task(executorPreference: LoopExecutor(loop)) { [broker] in await broker.run() }
        try await store.load()
        try await store.create(.passphrase(SharedSecret(try secret("open sesame"))), label: "test")
        TestEnds.current?.add { [self] in await stop() }
    }

    convenience init(concurrent: Int) async throws {
        var limits = AdapterLimits()
        limits.connections = concurrent
        try await self.init(limits)
    }

    func stop() async {
        await broker.stop()
        running.cancel()
        await running.value
    }

    func unlock() async throws { try await store.unlock(.passphrase(SharedSecret(try secret("open sesame")))) }

    func secret(_ text: String) throws -> Secret { try Secret(copying: Array(text.utf8), in: arena) }

    /// The sockets of the open adapters.
    var sockets: [String] { temporary.names(in: "a") }

    /// The number of calls that the server of `sampleServer` has received.
    func calls(_ name: String) throws -> Int {
        let text = TextFile.read(temporary.path(of: "requests"), maximumBytes: 1 << 20) ?? ""
        return text.split(separator: "\n").count { $0 == name }
    }

    func sampleServer(
        port: Int = 0,
        _ change: (inout SampleOptions) -> Void = { _ in }
    ) async throws -> RunningSampleServer {
        var options = SampleOptions(
            addresses: [try SocketAddress(ipAddress: "127.0.0.1", port: port)],
            dataDirectory: temporary.path(of: "s"),
            requestLog: temporary.path(of: "requests")
        )
        options.compressingFrom = ReplyShape.current.compressingFrom
        change(&options)
        let server = try await RunningSampleServer.start(options, loop: loop, pool: .singleton, logger: Self.logger)
        TestEnds.current?.add { await server.stop() }
        return server
    }

    /// The endpoint of a new sample server.
    func sampleEndpoint(_ change: (inout SampleOptions) -> Void = { _ in }) async throws -> Endpoint {
        try await endpoint(at: sampleServer(port: 0, change).addresses.first)
    }

    func endpoint(
        at address: SocketAddress?,
        scheme: ServerURL.Scheme = .http,
        name: String = "here"
    ) async throws -> Endpoint {
        let port = UInt16(try #require(address?.port))
        let host = ServerHost.address(.localhost, zone: nil)
        return try await registry.add(name: name, url: ServerURL(scheme: scheme, host: host, port: port, path: "/bin"))
    }

    @discardableResult
    func login(
        to endpoint: Endpoint,
        name: String = "login",
        account: Account = Account(user: "simple", domain: "DASamples", schema: "Simple"),
        password: String = "simple",
        pin: Pin? = nil,
        networkID: [UInt8]? = nil,
        location: EndpointLocation? = nil
    ) async throws -> Login {
        let new = NewLogin(
            name: name,
            account: account,
            pinned: PinnedEndpoint(
                endpoint: endpoint.id,
                pin: pin ?? .loopback(.localhost, port: endpoint.url.port),
                allowsPlaintext: pin?.strength.isEncrypted != true,
                networkID: networkID,
                location: location
            )
        )
        return try await store.add(new, password: try secret(password))
    }

    func open(
        _ endpoint: Endpoint,
        login: String? = nil,
        anonymous: Bool = false,
        lifetime: AdapterLifetime = .held,
        form: AdapterForm = .socket,
        hasOwnSession: Bool = false
    ) async throws -> Adapter {
        var request = AdapterRequest(NamedUse(endpoint.id.text, login: login, isAnonymous: anonymous))
        request.lifetime = lifetime
        request.form = form
        request.hasOwnSession = hasOwnSession
        return try await broker.open(request)
    }

    /// Sends a call, and closes the connection when the server has received LoginEx this many times.
    func hangUpDuringLogin(_ adapter: Adapter, login: Int) async throws {
        try await BlockingWork.run {
            let tool = try Tool(adapter.socketPath)
            tool.send(Tool.post(Tool.getSchema()))
            while try self.calls("LoginService.LoginEx") < login { tool.pause(milliseconds: 5) }
        }
    }
}

extension BrokerFixture {
    /// Emits an announcement in the form in which Avahi would report it.
    func announce(
        _ name: String = "announced",
        at addresses: [IPAddress] = [.localhost],
        as host: String? = nil,
        port: UInt16,
        scheme: ServerURL.Scheme = .http,
        interface: Int32 = 1
    ) async {
        let sightings = addresses.enumerated().map { index, address in
            Sighting(
                key: Self.key(name, interface + Int32(index), address.family),
                interfaceName: "lo",
                host: host ?? "host\(address.bytes[1]).local",
                port: port,
                scheme: scheme,
                address: address,
                txt: [],
                isLocal: false
            )
        }
        await tell(sightings.map { .sighted($0) })
    }

    func unannounce(_ name: String, interface: Int32 = 1) async {
        await tell([.vanished(Self.key(name, interface, .inet))])
    }

    private static func key(_ name: String, _ interface: Int32, _ family: AddressFamily) -> Sighting.Key {
        let instance = ServiceInstance(name: name, type: "_x._tcp", domain: "local")
        return Sighting.Key(source: .avahi, instance: instance, interface: interface, family: family)
    }

    private func tell(_ events: [SightingEvent]) async {
        let source = ScriptedSource(events)
        source.stop()
        await registry.consume(source.events(), from: .avahi)
    }
}

extension Adapter {
    /// The path of an adapter on a socket; otherwise a path without a file.
    var socketPath: String {
        if case .socket(let path) = address { path } else { "" }
    }
}
