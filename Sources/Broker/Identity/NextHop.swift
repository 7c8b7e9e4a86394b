// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The neighbour that identifies a network: its default gateway. If there is none: the server itself, or the router
/// towards it.
struct NextHop: Hashable {
    let address: IPAddress
    let interface: String
    /// The network of the link with host bits zero, and its prefix length in bits.
    let prefix: [UInt8]
    let prefixLength: UInt8

    /// - Parameters:
    ///   - server: the server that is contacted over plain HTTP.
    ///   - routes: the text of `/proc/net/route`: interface, destination, gateway, flags, …, mask in little-endian
    ///     hex.
    /// - Returns: nil if no IPv4 route matches.
    init?(towards server: IPAddress, routes: String) {
        let rows = ProcTable.rows(of: routes).filter { $0.count > 7 }.compactMap(Route.init)
        let usual = rows.first { $0.length == 0 && $0.gateway != nil }
        let special = rows.filter { $0.length > 0 && $0.contains(server) }.max { $0.length < $1.length }
        guard let route = usual ?? special else { return nil }
        let address = route.gateway ?? server
        let onLink = rows.filter { $0.interface == route.interface && $0.gateway == nil && $0.length > 0 }
        guard let link = onLink.first(where: { $0.contains(address) }) ?? onLink.first else { return nil }
        self.address = address
        interface = route.interface
        prefix = link.destination
        prefixLength = link.length
    }

    /// The link-layer address of the neighbour, from the text of `/proc/net/arp`: address, type, flags, link-layer
    /// address, mask, interface. Nil if the kernel does not know it.
    func linkLayerAddress(in neighbours: String) -> [UInt8]? {
        let text = address.description
        let row = ProcTable.rows(of: neighbours).first { $0.count > 5 && $0[0] == text && $0[5] == interface }
        guard let digits = row?[3].filter({ $0 != ":" }), let bytes = HexText.decode(digits), bytes.count == 6,
            bytes.contains(where: { $0 != 0 })
        else { return nil }
        return bytes
    }

    private struct Route {
        let interface: String
        let destination: [UInt8]
        /// Nil for a network on the link.
        let gateway: IPAddress?
        let length: UInt8

        init?(_ row: [String]) {
            guard let destination = ProcTable.address(row[1]), let gateway = ProcTable.address(row[2]),
                let mask = ProcTable.address(row[7])
            else { return nil }
            interface = row[0]
            self.destination = destination
            self.gateway = gateway.allSatisfy { $0 == 0 } ? nil : IPAddress(bytes: gateway)
            length = UInt8(mask.reduce(0) { $0 + $1.nonzeroBitCount })
        }

        func contains(_ address: IPAddress) -> Bool {
            guard address.family == .inet else { return false }
            return zip(address.bytes, destination).enumerated().allSatisfy { index, pair in
                let bits = max(0, min(8, Int(length) - index * 8))
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
                return pair.0 & mask == pair.1
            }
        }
    }
}
