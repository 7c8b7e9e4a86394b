// SPDX-License-Identifier: Apache-2.0

/// The rules for addresses in multicast announcements.
///
/// Any host on the link chooses the content of its announcements. So an announcement may only name an address on the
/// link on which it was received: never this machine's loopback, the far side of a router, or a cloud's metadata
/// service (docs/threat-model.md).
package struct AddressPolicy: Sendable, Hashable {
    private let prefixes: InterfacePrefixes

    /// - Parameter prefixes: the current prefixes of this machine's interfaces.
    package init(_ prefixes: InterfacePrefixes) {
        self.prefixes = prefixes
    }

    /// Calls `allows(_:heardOn:isLocal:)` for a sighting.
    package func allows(_ sighting: Sighting) -> Bool {
        allows(sighting.address, heardOn: sighting.key.interface, isLocal: sighting.isLocal)
    }

    /// Whether the address of an announcement that was allowed earlier may still be used. The machine may be on
    /// another network now, and the interface that received the announcement has no meaning after a restart. Loopback
    /// was allowed because this machine made the announcement.
    package func allowsStill(_ address: IPAddress) -> Bool {
        if let mapped = address.mappedIPv4 { return allowsStill(mapped) }
        if address.isNoServer { return false }
        if address.isLoopback { return true }
        if address.isLinkLocalIPv6 { return allows(address, heardOn: Int32(clamping: address.scope), isLocal: false) }
        return address.embeddedIPv4?.isLoopback != true
            && prefixes.all.contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }

    /// - Parameters:
    ///   - interface: the index of the interface that received the announcement.
    ///   - isLocal: whether this machine made the announcement. Only then is loopback allowed.
    package func allows(_ address: IPAddress, heardOn interface: Int32, isLocal: Bool) -> Bool {
        if let mapped = address.mappedIPv4 { return allows(mapped, heardOn: interface, isLocal: isLocal) }
        if address.isNoServer || address.embeddedIPv4?.isLoopback == true { return false }
        if address.isLoopback { return isLocal }
        if address.isLinkLocalIPv6, address.scope == 0 || Int64(address.scope) != Int64(interface) { return false }
        return prefixes[interface].contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }
}
