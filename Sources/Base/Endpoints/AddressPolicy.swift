// SPDX-License-Identifier: Apache-2.0

import Glibc

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

/// The rules for addresses from a source that the administrator configured, such as a DNS domain or a shared list.
///
/// Everyone who can write to such a source chooses its addresses. They must be in the networks that the administrator
/// allows for it. They must name a single host, and never this machine or a cloud's metadata service
/// (docs/threat-model.md).
package struct NetworkPolicy: Sendable, Hashable {
    /// An allowed network.
    package typealias Network = InterfacePrefixes.Prefix

    private let networks: [Network]

    /// - Parameter networks: the allowed networks; an empty array allows nothing.
    package init(_ networks: [Network] = Self.privateNetworks) {
        self.networks = networks
    }

    /// Whether the address is allowed. An IPv4 address mapped into IPv6 is checked as IPv4. Link-local IPv6 is
    /// refused: it needs an interface, which these sources do not name.
    package func allows(_ address: IPAddress) -> Bool {
        if let mapped = address.mappedIPv4 { return allows(mapped) }
        if address.isNoServer || address.isLinkLocalIPv6 { return false }
        if address.isLoopback || address.embeddedIPv4?.isLoopback == true { return false }
        return networks.contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }

    /// RFC 1918 and unique local IPv6 (RFC 4193), the default.
    package static let privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
        .compactMap { Network($0) }
}

extension InterfacePrefixes.Prefix {
    /// Reads `ADDRESS/LENGTH`, for example `10.0.0.0/8` or `fd00::/8`.
    ///
    /// - Returns: nil for any other text, for a scope, and if bits after the length are set, which is a typo.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(String(parts[0])), address.scope == 0,
            (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1])
        else { return nil }
        self.init(address, length: length)
        guard (length..<address.bytes.count * 8).allSatisfy({ bit(of: address, at: $0) == 0 }) else { return nil }
    }
}

/// The networks that each interface of this machine is directly connected to.
package struct InterfacePrefixes: Sendable, Hashable {
    /// A network: one of its addresses, and the number of leading bits that all its addresses share.
    package struct Prefix: Sendable, Hashable {
        /// An address in the network.
        package let address: IPAddress
        /// The number of leading bits.
        package let length: Int

        /// - Returns: nil unless `length` is from 1 to the number of bits of the address. A network of all addresses
        ///   is not allowed.
        package init?(_ address: IPAddress, length: Int) {
            guard (1...address.bytes.count * 8).contains(length) else { return nil }
            self.address = address
            self.length = length
        }
    }

    private var byInterface: [Int32: [Prefix]] = [:]

    /// No interfaces.
    package init() {}

    /// The networks of the interface with this index; empty if there is no such interface.
    package subscript(interface: Int32) -> [Prefix] {
        byInterface[interface] ?? []
    }

    /// The networks of all interfaces.
    package var all: some Sequence<Prefix> { byInterface.values.lazy.joined() }

    /// Adds a network of an interface.
    package mutating func insert(_ prefix: Prefix, on interface: Int32) {
        byInterface[interface, default: []].append(prefix)
    }
}

extension InterfacePrefixes.Prefix {
    /// Whether the address is in this network.
    package func contains(_ other: IPAddress) -> Bool {
        guard other.family == address.family else { return false }
        return (0..<length).allSatisfy { bit(of: other, at: $0) == bit(of: address, at: $0) }
    }

    /// Whether the address is the first or the last one of an IPv4 network, which name the network itself and all its
    /// hosts. Networks of one or two addresses have neither (RFC 3021).
    package func isWholeNetwork(_ other: IPAddress) -> Bool {
        guard other.family == .inet, length <= 30 else { return false }
        let host = (length..<32).map { bit(of: other, at: $0) }
        return host.allSatisfy { $0 == 0 } || host.allSatisfy { $0 == 1 }
    }

    func bit(of address: IPAddress, at index: Int) -> UInt8 {
        address.bytes[index / 8] >> UInt8(7 - index % 8) & 1
    }
}

/// The names of this machine's network interfaces.
package enum InterfaceName {
    /// - Returns: nil if no interface currently has this index.
    package static func of(_ number: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard number > 0, if_indextoname(number, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
