// SPDX-License-Identifier: Apache-2.0

package import Broker
package import Credentials
import Endpoints
import Glibc
package import LocalAPI
package import Logging
package import NIOCore
import Platform
package import Registry
import Varlink
package import VarlinkService

/// The daemon's sockets.
package enum ServedSocket: Sendable {
    /// The socket of the local API.
    case main
    /// The second socket, which only opens adapters.
    case adapters
}

/// Serves the daemon's sockets: accepts clients of the same user, and passes their calls to the interfaces.
///
/// `Access` decides which calls are allowed: here for a connection, by the client's uid as reported by the kernel
/// (SO_PEERCRED), and in `Guarded` for each call.
package struct LocalAPIServer: Sendable {
    private let main: VarlinkServer
    private let adapters: VarlinkServer

    /// Makes the server, without listening.
    ///
    /// - Throws: `VarlinkServerError`
    package init(
        services: LocalServices,
        facts: DaemonFacts,
        limits: VarlinkLimits,
        loop: any EventLoop,
        logger: Logger
    ) throws {
        let usage = APIUsage()
        func server(
            _ route: AccessRoute,
            _ interfaces: [any VarlinkInterface],
            http face: HTTPFace? = nil,
            onUsage: @escaping @Sendable (VarlinkUsage) -> Void = { _ in }
        ) throws -> VarlinkServer {
            try VarlinkServer(
                service: VarlinkServiceInfo(
                    vendor: "relativityd",
                    product: "relativityd",
                    version: ProjectVersion.text,
                    url: ""
                ),
                interfaces: interfaces.map { Guarded(interface: $0, route: route, store: services.store) },
                limits: limits,
                http: face,
                failure: DaemonError.failed(message: "the daemon failed; its log has the details").reply,
                loop: loop,
                logger: logger,
                accept: { [user = geteuid(), audit = services.store.audit] peer in
                    let access = Access(peer: peer.uid, user: user, route: route, action: .connect, vault: .absent)
                    guard access.refusal != nil else { return .accept }
                    let process = AuditPeer(CallingProcess(pid: peer.pid))
                    audit?.note(AuditEntry(.peerRefused, .refused, peer: process))
                    return .refuse
                },
                onUsage: onUsage
            )
        }
        main = try server(
            .main,
            [
                ManagerInterface(services: services, facts: facts, usage: usage),
                RegistryInterface(
                    registry: services.registry,
                    broker: services.broker,
                    liveness: services.liveness,
                    trust: services.connector.trust,
                    replies: EndpointReplies(registry: services.registry, loop: loop)
                ),
                CredentialsInterface(
                    registry: services.registry,
                    store: services.store,
                    broker: services.broker,
                    opening: services.opening
                ),
                BrokerInterface(registry: services.registry, broker: services.broker, opening: services.opening),
                AuditInterface(store: services.store),
            ],
            http: Self.face,
            onUsage: { usage.note($0) }
        )
        adapters = try server(
            .adapters,
            [AdaptersInterface(registry: services.registry, broker: services.broker, opening: services.opening)]
        )
    }

    /// The HTTP interface, for curl and for collectors of metrics.
    private static let face = HTTPFace(
        pages: [
            HTTPFace.Page(
                path: "/metrics",
                method: ManagerAPI.Method.getMetrics.rawValue,
                member: "metrics",
                contentType: "text/plain; version=0.0.4; charset=utf-8"
            )
        ],
        status: { DaemonError.Code(rawValue: $0)?.row.httpStatus ?? 500 }
    )

    /// Listens on a socket that is created at `path`, with mode 0600.
    package func listen(_ socket: ServedSocket, path: String) async throws {
        try await server(of: socket).listen(path: path)
    }

    /// Listens on a socket that the service manager passed.
    package func listen(_ socket: ServedSocket, descriptor: Int32) async throws {
        try await server(of: socket).listen(descriptor: descriptor)
    }

    private func server(of socket: ServedSocket) -> VarlinkServer {
        switch socket {
        case .main: main
        case .adapters: adapters
        }
    }

    /// Stops accepting, lets running calls finish within the time, and closes.
    package func stop(within grace: Duration) async {
        await adapters.stop(within: .zero)
        await main.stop(within: grace)
    }
}

/// The services that the interfaces use.
package struct LocalServices: Sendable {
    /// The list of servers.
    package let registry: EndpointRegistry
    /// The vault, with its audit log.
    package let store: CredentialStore
    /// The sessions, adapters and grants.
    package let broker: ConnectionBroker
    /// The connections to servers.
    package let connector: ServerConnector
    /// The probes of servers.
    package let liveness: LivenessMonitor
    /// Opens adapters with prompts to the user.
    package let opening: InteractiveOpening

    /// The services with these values.
    package init(
        registry: EndpointRegistry,
        store: CredentialStore,
        broker: ConnectionBroker,
        connector: ServerConnector,
        liveness: LivenessMonitor,
        opening: InteractiveOpening
    ) {
        self.registry = registry
        self.store = store
        self.broker = broker
        self.connector = connector
        self.liveness = liveness
        self.opening = opening
    }
}

/// The facts for `Manager.GetStatus` that the services do not have.
package struct DaemonFacts: Sendable {
    /// The time when the daemon started.
    package let started: NIODeadline
    /// Collects the problems to report, which takes at most a second.
    package let notes: @Sendable () async -> [ManagerAPI.Note]
    /// The number of sightings that were refused because their source must not name the address.
    package let refusedAddresses: @Sendable () -> Int
    /// The interfaces on which multicast DNS can work now.
    package let multicastInterfaces: @Sendable () -> [String]
    /// Returns the configuration, and looks for changes of its files.
    package let configuration: @Sendable () async -> ManagerAPI.GetConfigurationReply

    /// The facts with these values.
    package init(
        started: NIODeadline,
        notes: @escaping @Sendable () async -> [ManagerAPI.Note],
        refusedAddresses: @escaping @Sendable () -> Int,
        multicastInterfaces: @escaping @Sendable () -> [String],
        configuration: @escaping @Sendable () async -> ManagerAPI.GetConfigurationReply
    ) {
        self.started = started
        self.notes = notes
        self.refusedAddresses = refusedAddresses
        self.multicastInterfaces = multicastInterfaces
        self.configuration = configuration
    }
}
