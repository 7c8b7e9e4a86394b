// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform

/// Recognises the network that a plain HTTP login was allowed on, by its default gateway and the prefix around it.
///
/// It can be forged by whoever owns the network; it only keeps a password from being sent to the same private address
/// on another one by accident.
package enum CurrentNetwork {
    private static let maximumBytes = 256 << 10

    /// The id of the network this machine is on now, or nil without a default gateway.
    @Sendable package static func id() -> [UInt8]? {
        guard let routes = TextFile.read("/proc/net/route", maximumBytes: maximumBytes),
            let neighbours = TextFile.read("/proc/net/arp", maximumBytes: maximumBytes)
        else { return nil }
        return id(routes: routes, neighbours: neighbours)
    }

    /// - Parameters:
    ///   - routes: the text of `/proc/net/route`: interface, destination, gateway, flags, …, mask in little-endian hex.
    ///   - neighbours: the text of `/proc/net/arp`: address, type, flags, link-layer address, mask, interface.
    static func id(routes: String, neighbours: String) -> [UInt8]? {
        let rows = table(routes).filter { $0.count > 7 }
        guard let gateway = rows.first(where: { $0[1] == "00000000" && $0[2] != "00000000" }),
            let address = address(gateway[2]),
            let onLink = rows.first(where: { $0[0] == gateway[0] && $0[2] == "00000000" && $0[1] != "00000000" }),
            let prefix = bytes(onLink[1]), let mask = bytes(onLink[7]),
            let neighbour = table(neighbours).first(where: { $0.count > 5 && $0[0] == address && $0[5] == gateway[0] }),
            let linkLayer = HexText.decode(neighbour[3].filter { $0 != ":" }), linkLayer.count == 6,
            linkLayer.contains(where: { $0 != 0 })
        else { return nil }
        let length = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        return try? NetworkID.make(gateway: linkLayer, prefix: prefix, prefixLength: UInt8(length))
    }

    /// The fields of each line below the heading.
    private static func table(_ text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst()
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) }
    }

    private static func address(_ littleEndianHex: String) -> String? {
        bytes(littleEndianHex).flatMap { IPAddress(bytes: $0) }?.description
    }

    /// The kernel prints addresses as little-endian numbers; the bytes come in network order.
    private static func bytes(_ littleEndianHex: String) -> [UInt8]? {
        guard let bytes = HexText.decode(littleEndianHex), bytes.count == 4 else { return nil }
        return bytes.reversed()
    }
}
