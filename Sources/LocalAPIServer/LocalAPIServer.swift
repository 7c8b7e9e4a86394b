// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Glibc
import LocalAPI
package import Logging
package import NIOCore
import Platform
import Varlink
package import VarlinkService

/// The daemon's socket: accepts callers of the same user, and lets the interfaces serve them.
///
/// Who may call what is decided by `Access`: here for a connection, by the kernel's word on the caller's uid
/// (SO_PEERCRED), and in `Guarded` for each call.
package struct LocalAPIServer: Sendable {
    private let server: VarlinkServer

    package init(
        services: LocalServices,
        facts: DaemonFacts,
        limits: VarlinkLimits,
        loop: any EventLoop,
        logger: Logger
    ) throws {
        let usage = APIUsage()
        server = try VarlinkServer(
            service: VarlinkServiceInfo(
                vendor: "relativityd",
                product: "relativityd",
                version: ProjectVersion.text,
                url: ""
            ),
            interfaces: ([
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
                    broker: services.broker
                ),
                BrokerInterface(registry: services.registry, broker: services.broker, opening: services.opening),
                AuditInterface(store: services.store),
            ] as [any VarlinkInterface]).map { Guarded(interface: $0, store: services.store) },
            limits: limits,
            http: Self.face,
            failure: VarlinkError(ManagerAPI.FailedError(message: "the daemon failed; its log has the details")),
            loop: loop,
            logger: logger,
            accept: { [user = geteuid(), audit = services.store.audit] peer in
                let access = Access(peer: peer.uid, user: user, route: .main, action: .connect, vault: .absent)
                guard access.refusal != nil else { return .accept }
                audit?.note(AuditEntry(.peerRefused, .refused, peer: AuditPeer(pid: peer.pid)))
                return .refuse
            },
            onUsage: { usage.note($0) }
        )
    }

    /// For curl, and for what collects metrics.
    private static let face = HTTPFace(
        pages: [
            HTTPFace.Page(
                path: "/metrics",
                method: ManagerAPI.Method.getMetrics.rawValue,
                member: "metrics",
                contentType: "text/plain; version=0.0.4; charset=utf-8"
            )
        ],
        status: { DaemonError.Code(rawValue: $0)?.httpStatus ?? 500 }
    )

    /// Serves on a socket made at `path`, mode 0600.
    package func listen(path: String) async throws {
        try await server.listen(path: path)
    }

    /// Serves on a listening socket that the service manager passed.
    package func listen(descriptor: Int32) async throws {
        try await server.listen(descriptor: descriptor)
    }

    /// Stops accepting, lets running calls end within the time, and closes.
    package func stop(within grace: Duration) async {
        await server.stop(within: grace)
    }
}
