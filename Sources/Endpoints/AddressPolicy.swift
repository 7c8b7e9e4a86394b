// SPDX-License-Identifier: Apache-2.0

/// May a multicast announcement lead us to this address?
///
/// A stranger on the link chooses what an announcement says, so it may only lead to the link that it was heard on, never
/// to this machine's loopback, to a router's far side or to a cloud's metadata service (docs/threat-model.md).
package struct AddressPolicy: Sendable, Hashable {
    private let prefixes: InterfacePrefixes

    /// - Parameter prefixes: what this machine's interfaces have now.
    package init(_ prefixes: InterfacePrefixes) {
        self.prefixes = prefixes
    }

    /// As `allows(_:heardOn:isLocal:)`, for a sighting.
    package func allows(_ sighting: Sighting) -> Bool {
        allows(sighting.address, heardOn: sighting.key.interface, isLocal: sighting.isLocal)
    }

    /// Whether an announcement that was allowed once may still lead there: the machine may be on another network by now, and
    /// which interface heard it has no meaning after a restart. Loopback was allowed because this machine announced it.
    package func allowsStill(_ address: IPAddress) -> Bool {
        if let mapped = address.mappedIPv4 { return allowsStill(mapped) }
        if address.isNoServer { return false }
        if address.isLoopback { return true }
        if address.isLinkLocalIPv6 { return allows(address, heardOn: Int32(clamping: address.scope), isLocal: false) }
        return address.embeddedIPv4?.isLoopback != true
            && prefixes.all.contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }

    /// - Parameters:
    ///   - interface: index of the interface that heard the announcement.
    ///   - isLocal: this machine announced it, which is the one case where loopback is meant.
    package func allows(_ address: IPAddress, heardOn interface: Int32, isLocal: Bool) -> Bool {
        if let mapped = address.mappedIPv4 { return allows(mapped, heardOn: interface, isLocal: isLocal) }
        if address.isNoServer || address.embeddedIPv4?.isLoopback == true { return false }
        if address.isLoopback { return isLocal }
        if address.isLinkLocalIPv6, address.scope == 0 || Int64(address.scope) != Int64(interface) { return false }
        return prefixes[interface].contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }
}
