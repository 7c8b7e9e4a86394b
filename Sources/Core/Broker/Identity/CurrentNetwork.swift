// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Glibc
import NIOCore
import Platform

/// Recognises the network on which a plain HTTP login was permitted (docs/decisions/0004). The ID is made from the
/// link-layer address of the default gateway, or of the server if there is no gateway, and the prefix of that link.
///
/// An attacker who controls the network can forge it. It only prevents a password from being sent by accident to the
/// same private address on another network.
struct CurrentNetwork {
    private static let maximumBytes = 256 << 10
    /// Time for the kernel to resolve an unknown neighbour.
    private static let timeout = Duration.seconds(1)
    private static let pause = Duration.milliseconds(20)
    private static let withoutAddresses: UInt32 = 0x80

    let loop: any EventLoop

    /// The ID of the network through which a server is reached. Nil if it cannot be determined: no route, a link
    /// without link-layer addresses, or a neighbour that does not answer.
    func id(towards server: IPAddress) async -> [UInt8]? {
        guard let routes = Self.read("route"), let hop = NextHop(towards: server, routes: routes) else { return nil }
        if let id = Self.id(hop, neighbours: Self.read("arp")) { return id }
        guard Self.hasAddresses(hop.interface) else { return nil }
        Self.wake(hop.address)
        let end = NIODeadline.now() + TimeAmount(Self.timeout)
        while NIODeadline.now() < end {
            guard (try? await loop.sleep(for: Self.pause)) != nil else { return nil }
            if let id = Self.id(hop, neighbours: Self.read("arp")) { return id }
        }
        return nil
    }

    static func id(_ hop: NextHop, neighbours: String?) -> [UInt8]? {
        guard let linkLayer = neighbours.flatMap({ hop.linkLayerAddress(in: $0) }) else { return nil }
        return NetworkID.make(gateway: linkLayer, prefix: hop.prefix, prefixLength: hop.prefixLength)
    }

    private static func read(_ table: String) -> String? {
        TextFile.read("/proc/net/\(table)", maximumBytes: maximumBytes)
    }

    /// Whether neighbours on a link have link-layer addresses; neighbours on a tunnel have none.
    private static func hasAddresses(_ interface: String) -> Bool {
        guard !interface.contains("/"),
            let text = TextFile.read("/sys/class/net/\(interface)/flags", maximumBytes: 64),
            let flags = UInt32(text.dropFirst(2).filter(\.isHexDigit), radix: 16)
        else { return true }
        return flags & withoutAddresses == 0
    }

    /// Makes the kernel resolve a neighbour by sending an empty datagram to its discard port.
    private static func wake(_ neighbour: IPAddress) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard let address = try? SocketAddress(neighbour, port: 9) else { return }
        address.withSockAddr { pointer, size in
            _ = sendto(descriptor, nil, 0, Int32(MSG_DONTWAIT), pointer, socklen_t(size))
        }
    }
}

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

/// Parses the tables of `/proc/net`.
enum ProcTable {
    /// The fields of each line after the heading.
    static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst()
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) }
    }

    /// The bytes of an IPv4 address in network order. The kernel prints the address as a little-endian number.
    static func address(_ littleEndianHex: String) -> [UInt8]? {
        guard let bytes = HexText.decode(littleEndianHex), bytes.count == 4 else { return nil }
        return bytes.reversed()
    }
}
