// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints
import Locks
package import Registry

/// One address of a server, with the identity that the server must prove there.
struct ServerPlace: Sendable {
    /// The endpoint with the URL of this address.
    let endpoint: Endpoint
    /// Nil for calls without a login.
    let pinned: PinnedEndpoint?

    /// The endpoint's own address.
    init(_ endpoint: Endpoint, _ pinned: PinnedEndpoint?) {
        self.endpoint = endpoint
        self.pinned = pinned
    }

    /// An alternate address.
    ///
    /// - Returns: nil if its URL is damaged.
    init?(_ endpoint: Endpoint, alternate: PinnedEndpoint) {
        guard let url = alternate.location.flatMap({ try? ServerURL(completing: $0.url) }) else { return nil }
        self.init(endpoint.at(url), alternate)
    }

    var isAlternate: Bool { alternate != nil }

    /// The ID of the alternate address; nil for the endpoint's own.
    var alternate: EndpointID? { pinned?.alternateOf == nil ? nil : pinned?.endpoint }

    /// What the address leads to, as far as the user has agreed: addresses with the same value lead to one database.
    var database: EndpointID? {
        pinned?.isSameDatabase == true ? nil : alternate
    }

    /// The endpoint's own address, then its others.
    ///
    /// - Parameter pinned: that of the endpoint's own address.
    static func all(
        of endpoint: Endpoint,
        _ pinned: PinnedEndpoint?,
        alternates: [PinnedEndpoint]
    ) -> [ServerPlace] {
        [ServerPlace(endpoint, pinned)] + alternates.compactMap { ServerPlace(endpoint, alternate: $0) }
    }
}

extension Endpoint {
    /// The endpoint at another URL, which the user has typed.
    fileprivate func at(_ url: ServerURL) -> Endpoint {
        var endpoint = self
        endpoint.url = url
        endpoint.origin = .manual
        endpoint.addresses = []
        return endpoint
    }

    /// An alternate address as an endpoint of its own, for the question who answers there.
    package func alternate(at url: ServerURL) -> Endpoint {
        var endpoint = at(url)
        endpoint.id = .alternate(of: id, at: url)
        return endpoint
    }
}

/// The alternate addresses at which servers were last reached.
package final class PlacesInUse: Sendable {
    private let alternates = Lock<[EndpointID: EndpointID]>([:])

    /// The ID of the alternate; nil if the endpoint's own address is in use, or none was needed yet.
    package subscript(endpoint: EndpointID) -> EndpointID? { alternates.withLock { $0[endpoint] } }

    func note(_ place: ServerPlace) { alternates.withLock { $0[place.endpoint.id] = place.alternate } }
}
