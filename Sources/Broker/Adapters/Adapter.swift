// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints

/// What a tool gets: an endpoint with its services, domain, schema and a live session, behind an address of its own.
package struct Adapter: Sendable, Hashable {
    package let id: String
    /// HTTP; POST a BinMessage to it.
    package let address: AdapterAddress
    /// The login's name; nil for an anonymous adapter.
    package let login: String?
    /// Where its calls go; nil for a standing adapter that nobody has used.
    package internal(set) var target: AdapterTarget?
    package let lifetime: AdapterLifetime
    /// Nobody shares its session, and polls for events are taken.
    package let hasOwnSession: Bool
    /// The process that asked for it, as the kernel told; nil for a standing one.
    package let peer: Int32?
    /// Seconds since 1970.
    package let created: Int64
}

/// Where an adapter's calls go.
package struct AdapterTarget: Sendable, Hashable {
    package let endpoint: EndpointID
    /// Foreign text.
    package let endpointName: String
    /// Nil where the login has none, and without a login.
    package let domain: String?
    package let schema: String?
    package let services: ServiceNames

    init(_ endpoint: Endpoint, _ login: Login?) {
        self.endpoint = endpoint.id
        endpointName = endpoint.name
        domain = login.flatMap { $0.domain.isEmpty ? nil : $0.domain }
        schema = login.flatMap { $0.schema.isEmpty ? nil : $0.schema }
        services = endpoint.services
    }
}

/// How long an adapter lives.
package enum AdapterLifetime: Sendable, Hashable {
    /// As long as the caller that opened it stays.
    case held
    /// Until it is unused for `AdapterLimits.idle`, at most this long.
    case atMost(Duration)
    /// As long as the daemon runs. It gives up its session while it is unused or the vault is locked, and logs in again.
    case standing
    /// As `standing`, until this time is over.
    case granted(Duration)

    /// It goes on without a session.
    var isStanding: Bool {
        switch self {
        case .standing, .granted: true
        case .held, .atMost: false
        }
    }

    /// The same, with a time between zero and `longest`.
    func bounded(by longest: Duration) -> AdapterLifetime {
        guard case .atMost(let time) = self else { return self }
        return .atMost(min(max(time, .zero), longest))
    }
}

/// Bounds on adapters.
package struct AdapterLimits: Sendable {
    /// Open adapters in all.
    package var adapters = 64
    /// An adapter that is not held ends after this long without a request.
    package var idle = Duration.seconds(900)
    /// An adapter that is not held ends after this long in any case.
    package var longest = Duration.seconds(12 * 3_600)
    /// Connections to one adapter's socket.
    package var connections = 32
    /// Bytes of one request; it is kept in memory to be repeated when the session was lost.
    package var requestBytes = 16 << 20
    /// Large or compressed requests that are looked into at the same time; each may take some 64 MiB meanwhile that are
    /// not counted.
    package var parsers = 2
    /// Bytes of the requests of all adapters together that are not answered yet, as they came and inflated, and of the
    /// answers that the tools have not read yet.
    package var totalRequestBytes = 256 << 20
    /// A connection ends that brings no whole request for this long.
    package var silence = Duration.seconds(60)

    package init() {}
}
