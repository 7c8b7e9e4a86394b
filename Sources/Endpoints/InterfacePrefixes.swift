// SPDX-License-Identifier: Apache-2.0

/// The networks that each interface of this machine is directly connected to.
package struct InterfacePrefixes: Sendable, Hashable {
    /// A network: an address of it and the number of leading bits that all its addresses share.
    package struct Prefix: Sendable, Hashable {
        package let address: IPAddress
        package let length: Int

        /// - Returns: nil unless `length` is 1 to the number of the address's bits: a network of everything is none.
        package init?(_ address: IPAddress, length: Int) {
            guard (1...address.bytes.count * 8).contains(length) else { return nil }
            self.address = address
            self.length = length
        }
    }

    private var byInterface: [Int32: [Prefix]] = [:]

    package init() {}

    /// The networks of the interface with this index; none if there is no such interface.
    package subscript(interface: Int32) -> [Prefix] {
        byInterface[interface] ?? []
    }

    /// Those of all interfaces.
    package var all: some Sequence<Prefix> { byInterface.values.lazy.joined() }

    package mutating func insert(_ prefix: Prefix, on interface: Int32) {
        byInterface[interface, default: []].append(prefix)
    }
}

extension InterfacePrefixes.Prefix {
    package func contains(_ other: IPAddress) -> Bool {
        guard other.family == address.family else { return false }
        return (0..<length).allSatisfy { bit(of: other, at: $0) == bit(of: address, at: $0) }
    }

    /// The first and the last address of an IPv4 network name the network itself and everyone on it. Networks of one or
    /// two addresses have no such pair (RFC 3021).
    package func isWholeNetwork(_ other: IPAddress) -> Bool {
        guard other.family == .inet, length <= 30 else { return false }
        let host = (length..<32).map { bit(of: other, at: $0) }
        return host.allSatisfy { $0 == 0 } || host.allSatisfy { $0 == 1 }
    }

    func bit(of address: IPAddress, at index: Int) -> UInt8 {
        address.bytes[index / 8] >> UInt8(7 - index % 8) & 1
    }
}
