// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints

/// An address at which a tool reaches an endpoint with its services, domain, schema and a live session.
package struct Adapter: Sendable, Hashable {
    /// Unique among the open adapters.
    package let id: String
    /// Speaks HTTP; a tool sends each BinMessage as a POST.
    package let address: AdapterAddress
    /// The login's name; nil for an anonymous adapter.
    package let login: String?
    /// The endpoint that calls are sent to; nil for a permanent adapter that is not used yet.
    package internal(set) var target: AdapterTarget?
    /// When the adapter is closed.
    package let lifetime: AdapterLifetime
    /// Whether no other adapter shares its session. Only then are polls for events permitted.
    package let hasOwnSession: Bool
    /// The process that opened the adapter, as the kernel reports it; nil for a permanent one.
    package let peer: Int32?
    /// Seconds since 1970.
    package let created: Int64
}

/// The endpoint and the database that an adapter's calls are sent to.
package struct AdapterTarget: Sendable, Hashable {
    /// The endpoint's ID.
    package let endpoint: EndpointID
    /// Untrusted text.
    package let endpointName: String
    /// Nil if the login has no domain, and without a login.
    package let domain: String?
    /// Nil if the login has no schema, and without a login.
    package let schema: String?
    /// The endpoint's service names.
    package let services: ServiceNames

    init(_ endpoint: Endpoint, _ login: Login?) {
        self.endpoint = endpoint.id
        endpointName = endpoint.name
        domain = login.flatMap { $0.domain.isEmpty ? nil : $0.domain }
        schema = login.flatMap { $0.schema.isEmpty ? nil : $0.schema }
        services = endpoint.services
    }
}

/// When an adapter is closed.
package enum AdapterLifetime: Sendable, Hashable {
    /// When the caller that opened it disconnects.
    case held
    /// After `AdapterLimits.idle` without a request, and after this time at the latest.
    case atMost(Duration)
    /// When the daemon exits. The adapter releases its session while it is unused or the vault is locked, and logs in
    /// again with the next call.
    case standing
    /// As `standing`, but at most this long.
    case granted(Duration)

    /// Whether the adapter stays open without a session.
    var isStanding: Bool {
        switch self {
        case .standing, .granted: true
        case .held, .atMost: false
        }
    }

    /// The same lifetime, with a time between zero and `longest`.
    func bounded(by longest: Duration) -> AdapterLifetime {
        guard case .atMost(let time) = self else { return self }
        return .atMost(min(max(time, .zero), longest))
    }
}

/// Limits of adapters.
package struct AdapterLimits: Sendable {
    /// Number of open adapters.
    package var adapters = 64
    /// Idle timeout of an adapter that is not held.
    package var idle = Duration.seconds(900)
    /// Maximum lifetime of an adapter that is not held.
    package var longest = Duration.seconds(12 * 3_600)
    /// Number of connections to one adapter's socket.
    package var connections = 32
    /// Bytes of one request. A request stays in memory, so that it can be sent again if the session was lost.
    package var requestBytes = 16 << 20
    /// Number of large or compressed requests that are parsed at the same time. Each may take some 64 MiB, which are
    /// not counted.
    package var parsers = 2
    /// Bytes of all adapters together: requests that are not answered yet, as received and inflated, and replies that
    /// tools have not read yet.
    package var totalRequestBytes = 256 << 20
    /// A connection that sends no complete request for this long is closed.
    package var silence = Duration.seconds(60)

    /// The default limits.
    package init() {}
}
