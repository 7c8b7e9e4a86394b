// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// What a tool gets: an endpoint with its services, domain, schema and a live session, behind a socket of its own.
package struct Adapter: Sendable, Hashable {
    package let id: String
    /// A Unix socket that speaks HTTP; POST a BinMessage to it.
    package let socketPath: String
    package let endpoint: EndpointID
    package let endpointName: String
    /// The login's name, domain and schema; nil for an anonymous adapter.
    package let login: String?
    package let domain: String?
    package let schema: String?
    package let services: ServiceNames
    package let lifetime: AdapterLifetime
    /// Seconds since 1970.
    package let created: Int64
}

/// How long an adapter lives.
package enum AdapterLifetime: Sendable, Hashable {
    /// As long as the caller that opened it stays.
    case held
    /// Until it is unused for `AdapterLimits.idle`, at most this long.
    case atMost(Duration)

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
    /// Bytes of the requests of all adapters together that are not answered yet.
    package var totalRequestBytes = 256 << 20
    /// A connection ends that brings no whole request for this long.
    package var silence = Duration.seconds(60)

    package init() {}
}
