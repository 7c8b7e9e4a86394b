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
    private static let patience = Duration.seconds(1)
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
        let end = NIODeadline.now() + TimeAmount(Self.patience)
        while NIODeadline.now() < end {
            guard (try? await loop.sleep(for: Self.pause)) != nil else { return nil }
            if let id = Self.id(hop, neighbours: Self.read("arp")) { return id }
        }
        return nil
    }

    static func id(_ hop: NextHop, neighbours: String?) -> [UInt8]? {
        guard let linkLayer = neighbours.flatMap({ hop.linkLayerAddress(in: $0) }) else { return nil }
        return try? NetworkID.make(gateway: linkLayer, prefix: hop.prefix, prefixLength: hop.prefixLength)
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
