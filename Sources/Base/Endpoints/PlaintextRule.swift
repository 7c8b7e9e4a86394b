// SPDX-License-Identifier: Apache-2.0

/// Rule for passwords over plain HTTP: decides whether they may go to a pinned server.
package struct PlaintextRule: Sendable, Hashable {
    /// Fact about the way to the server, as far as it is known.
    package enum Fact: Sendable, Hashable {
        /// The network that this machine is on; nil if it has no id.
        case network([UInt8]?)
        /// The interfaces that lead to a link-local address.
        case interfaces([String])
        /// The kernel does not report who answers on a port of this machine, which the user accepts there or not.
        case unknownOwner(port: UInt16, isAccepted: Bool)
    }

    private let strength: PinStrength
    private let isLinkLocal: Bool
    private let permission: PlaintextPermission

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

    /// Decides with the facts that are known.
    ///
    /// - Returns: nil if passwords may go there. Facts that are still unknown may forbid it.
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
    /// Permission of the user, and where it holds.
    package enum User: Sendable, Hashable {
        /// There is none.
        case none
        /// Given just now, for the place where this machine is.
        case here
        /// Given before, for one network and, for a link-local address, for one interface; nil where none could be told.
        case on(network: [UInt8]?, interface: String?)
    }

    package let user: User
    /// The administrator permits it too, anywhere.
    package let administrator: Bool

    package init(user: User, administrator: Bool = false) {
        self.user = user
        self.administrator = administrator
    }
}

/// Reason why a password may not go to a server unencrypted.
package enum PlaintextRefusal: Error, Hashable {
    case notPermitted
    /// The permission holds on another network than this one; nil if this one has no id.
    case otherNetwork([UInt8]?)
    /// The permission holds on one interface, or on none, and the server is on these.
    case otherInterface(permitted: String?, found: [String])
    /// The kernel does not report whose process answers on this port of this machine.
    case ownerUnknown(port: UInt16)
}
