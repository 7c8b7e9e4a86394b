// SPDX-License-Identifier: Apache-2.0

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
