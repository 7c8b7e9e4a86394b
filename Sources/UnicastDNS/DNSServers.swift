// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Platform

/// The DNS servers to query, in this order.
package enum DNSServers: Sendable, Hashable {
    /// The servers in a file such as `/etc/resolv.conf` (resolv.conf(5)). It is read again for each round of queries,
    /// because networks change.
    case file(path: String)
    case fixed([AddressAndPort])

    /// glibc uses at most three servers (resolv.conf(5)). If three do not respond, a query takes long enough.
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

    /// The `nameserver` lines of a resolv.conf. If there are none, this machine is queried, as by glibc.
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
