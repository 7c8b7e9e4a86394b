// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Platform

/// Which DNS servers to ask, in this order.
package enum DNSServers: Sendable, Hashable {
    /// Those of a file such as `/etc/resolv.conf` (resolv.conf(5)), read anew for each round of questions: networks change.
    case file(path: String)
    case fixed([AddressAndPort])

    /// glibc asks no more than three (resolv.conf(5)), and with three that are silent a question takes long enough.
    static let maximum = 3
    private static let port: UInt16 = 53
    private static let maximumFileBytes = 64 << 10

    var list: [AddressAndPort] {
        switch self {
        case .file(let path):
            TextFile.read(path, maximumBytes: Self.maximumFileBytes).map(Self.servers(in:)) ?? []
        case .fixed(let servers):
            Array(servers.prefix(Self.maximum))
        }
    }

    /// The `nameserver` lines of a resolv.conf. Without any, glibc asks this machine, and so do we.
    static func servers(in text: String) -> [AddressAndPort] {
        let named = text.split(whereSeparator: \.isNewline).compactMap { line -> AddressAndPort? in
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count >= 2, words[0] == "nameserver" else { return nil }
            return AddressAndPort("[\(words[1])]", defaultPort: port)
                ?? AddressAndPort(String(words[1]), defaultPort: port)
        }
        let usual = IPAddress("127.0.0.1").map { [AddressAndPort($0, port: port)] } ?? []
        return named.isEmpty ? usual : Array(named.prefix(maximum))
    }
}
