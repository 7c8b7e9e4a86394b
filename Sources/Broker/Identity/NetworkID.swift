// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// Recognises the network that a plain HTTP login was allowed on: SHA-256 of `rcv1/net`, the link-layer address of the
/// default gateway and the prefix it routes (docs/vault-format.md, "Network id").
///
/// It can be forged by whoever owns the network; it only keeps a password from being sent to the same private address
/// on another one by accident.
package enum NetworkID {
    private static let maximumBytes = 256 << 10

    /// The id of the network this machine is on now, or nil without a default gateway.
    @Sendable package static func current() -> [UInt8]? {
        guard let routes = TextFile.read("/proc/net/route", maximumBytes: maximumBytes),
            let neighbours = TextFile.read("/proc/net/arp", maximumBytes: maximumBytes)
        else { return nil }
        return id(routes: routes, neighbours: neighbours)
    }

    /// - Parameters:
    ///   - routes: the text of `/proc/net/route`: interface, destination, gateway, flags, …, mask in little-endian hex.
    ///   - neighbours: the text of `/proc/net/arp`: address, type, flags, link-layer address, mask, interface.
    static func id(routes: String, neighbours: String) -> [UInt8]? {
        let rows = table(routes)
        let gateway = rows.first { $0.count > 7 && $0[1] == "00000000" && $0[2] != "00000000" }
        guard let gateway, let address = address(gateway[2]) else { return nil }
        let neighbour = table(neighbours).first { $0.count > 5 && $0[0] == address && $0[5] == gateway[0] }
        let onLink = rows.first { $0.count > 7 && $0[0] == gateway[0] && $0[2] == "00000000" && $0[1] != "00000000" }
        guard let neighbour, neighbour[3] != "00:00:00:00:00:00",
            let linkLayer = HexText.decode(neighbour[3].filter { $0 != ":" }), linkLayer.count == 6
        else { return nil }
        let prefix = onLink.map { "\($0[1])/\($0[7])" } ?? ""
        return try? SHA256.digest(of: Array("rcv1/net".utf8) + linkLayer + Array(prefix.utf8))
    }

    /// The fields of each line below the heading.
    private static func table(_ text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst()
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) }
    }

    private static func address(_ littleEndianHex: String) -> String? {
        guard let bytes = HexText.decode(littleEndianHex), bytes.count == 4 else { return nil }
        return IPAddress(bytes: bytes.reversed())?.description
    }
}
