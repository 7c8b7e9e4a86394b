// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints

/// Proposal to bind a login to the identity that a server has now.
package struct ServerProposal: Sendable, Hashable {
    /// What has been agreed to before.
    package enum Standing: Sendable, Hashable {
        /// Nothing: the server has no pin yet.
        case new
        /// Everything: the user or the administrator knows this server, and plain HTTP to it is permitted where it is used.
        case known
        /// The identity, and not that passwords go there over plain HTTP.
        case plaintextOpen
        /// A pin that came with an import.
        case unverified
        /// Another server than this one.
        case other
    }

    package let endpoint: Endpoint
    package let identity: ServerIdentity
    /// The network that a permission for plain HTTP would hold on.
    let network: [UInt8]?
    /// What the endpoint is pinned to; nil if to nothing.
    let pinned: PinnedEndpoint?

    init(_ endpoint: Endpoint, _ identity: ServerIdentity, network: [UInt8]?, pinned: PinnedEndpoint?) {
        self.endpoint = endpoint
        self.identity = identity
        self.network = network
        self.pinned = pinned
    }

    /// The endpoint has a pin.
    package var isPinned: Bool { pinned != nil }

    /// What has been agreed to before.
    package var standing: Standing {
        if let pinned {
            guard pinned.isVerified else { return .unverified }
            guard pinned.pin.isSame(as: identity.pin) else { return .other }
        } else if !identity.isVouchedFor {
            return .new
        }
        let permission = PlaintextPermission(
            user: pinned?.permission.user ?? .none,
            administrator: identity.isPlaintextPermitted
        )
        let refusal = PlaintextRule(identity.pin, permission)
            .refusal(knowing: [.network(network), .interfaces([identity.interface].compactMap { $0 })])
        return refusal == nil ? .known : .plaintextOpen
    }

    /// The pin that follows from an agreement, which includes plain HTTP to a server that has no TLS: on this network, and
    /// for a link-local address on this interface.
    var agreed: PinnedEndpoint {
        PinnedEndpoint(
            endpoint: endpoint.id,
            pin: identity.pin,
            allowsPlaintext: !identity.pin.strength.isEncrypted,
            networkID: network,
            interface: identity.interface,
            location: EndpointLocation(name: endpoint.name, url: endpoint.url.description)
        )
    }
}
