// SPDX-License-Identifier: Apache-2.0

/// The rule that decides whether passwords may be sent to a pinned server over plain HTTP.
package struct PlaintextRule: Sendable, Hashable {
    /// A known fact about the route to the server.
    package enum Fact: Sendable, Hashable {
        /// The network that this machine is on; nil if the network has no ID.
        case network([UInt8]?)
        /// The interfaces that a link-local address was found on.
        case interfaces([String])
        /// The kernel does not report which user's process listens on a port of this machine. `isAccepted` is whether
        /// the user accepts that for this server.
        case unknownOwner(port: UInt16, isAccepted: Bool)
    }

    private let strength: PinStrength
    private let isLinkLocal: Bool
    private let permission: PlaintextPermission

    /// The rule for a pin.
    package init(_ pin: Pin, _ permission: PlaintextPermission) {
        strength = pin.strength
        isLinkLocal = pin.isLinkLocal
        self.permission = permission
    }

    /// The rule for a pin of which only the strength is known.
    package init(_ strength: PinStrength, _ permission: PlaintextPermission) {
        self.strength = strength
        isLinkLocal = false
        self.permission = permission
    }

    /// Checks the known facts.
    ///
    /// - Returns: nil if no known fact forbids to send passwords. Facts that are not known yet may still forbid it.
    package func refusal(knowing facts: [Fact] = []) -> PlaintextRefusal? {
        guard !strength.isEncrypted else { return nil }
        guard permission.administrator || permission.user != .none else { return .notPermitted }
        for fact in facts {
            if let refusal = refusal(because: fact) { return refusal }
        }
        return nil
    }

    private func refusal(because fact: Fact) -> PlaintextRefusal? {
        switch (strength, fact) {
        case (.address, .network(let here)):
            guard !permission.administrator, case .on(let network, _) = permission.user, network != here else {
                return nil
            }
            return .otherNetwork(here)
        case (.address, .interfaces(let found)) where isLinkLocal:
            guard !permission.administrator, case .on(_, let interface) = permission.user else { return nil }
            if let interface, found.contains(interface) { return nil }
            return .otherInterface(permitted: interface, found: found)
        case (.loopback, .unknownOwner(let port, isAccepted: false)):
            return .ownerUnknown(port: port)
        default:
            return nil
        }
    }
}

/// Permission to send passwords to one server unencrypted.
package struct PlaintextPermission: Sendable, Hashable {
    /// The user's permission, and the network that it holds for.
    package enum User: Sendable, Hashable {
        /// No permission.
        case none
        /// Given just now, for the network that this machine is on.
        case here
        /// Given earlier, for one network and, if the address is link-local, for one interface. Each is nil if it could
        /// not be determined.
        case on(network: [UInt8]?, interface: String?)
    }

    /// The user's permission.
    package let user: User
    /// Whether the administrator permits it too, on every network.
    package let administrator: Bool

    /// A permission with these values.
    package init(user: User, administrator: Bool = false) {
        self.user = user
        self.administrator = administrator
    }
}

/// The reason why a password may not be sent to a server unencrypted.
package enum PlaintextRefusal: Error, Hashable {
    /// Neither the user nor the administrator permits it.
    case notPermitted
    /// The permission holds for another network than the current one, which is nil if it has no ID.
    case otherNetwork([UInt8]?)
    /// The permission holds for one interface, or for none, and the server is on the interfaces `found`.
    case otherInterface(permitted: String?, found: [String])
    /// The kernel does not report which user's process listens on this port of this machine.
    case ownerUnknown(port: UInt16)
}
