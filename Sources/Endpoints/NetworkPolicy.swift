// SPDX-License-Identifier: Apache-2.0

/// May a source that the administrator configured, such as a DNS domain or a shared list, lead us to this address?
///
/// Whoever fills such a source chooses its addresses. They lead to the networks that the administrator allows it, and
/// never to what names no single host, to this machine, or to a cloud's metadata service (docs/threat-model.md).
package struct NetworkPolicy: Sendable, Hashable {
    package typealias Network = InterfacePrefixes.Prefix

    private let networks: [Network]

    /// - Parameter networks: those allowed; none allows nothing.
    package init(_ networks: [Network] = Self.privateNetworks) {
        self.networks = networks
    }

    /// An IPv4 address mapped into IPv6 is judged as the IPv4 address that it is. Link-local IPv6 means nothing without
    /// an interface, which these sources do not name.
    package func allows(_ address: IPAddress) -> Bool {
        if let mapped = address.mappedIPv4 { return allows(mapped) }
        if address.isNoServer || address.isLinkLocalIPv6 { return false }
        if address.isLoopback || address.embeddedIPv4?.isLoopback == true { return false }
        return networks.contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }

    /// RFC 1918 and unique local IPv6 (RFC 4193), where nothing else is configured.
    package static let privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
        .compactMap { Network($0) }
}

extension InterfacePrefixes.Prefix {
    /// Reads `ADDRESS/LENGTH`, for example `10.0.0.0/8` or `fd00::/8`.
    ///
    /// - Returns: nil for anything else, for a scope, and where bits behind the length are set: a slip of the pen.
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
