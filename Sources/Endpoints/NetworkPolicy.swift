// SPDX-License-Identifier: Apache-2.0

/// The rules for addresses from a source that the administrator configured, such as a DNS domain or a shared list.
///
/// Whoever can write to such a source chooses its addresses. They must be in the networks that the administrator
/// allows for it. They must name a single host, and never this machine or a cloud's metadata service
/// (docs/threat-model.md).
package struct NetworkPolicy: Sendable, Hashable {
    /// An allowed network.
    package typealias Network = InterfacePrefixes.Prefix

    private let networks: [Network]

    /// - Parameter networks: the allowed networks; an empty array allows nothing.
    package init(_ networks: [Network] = Self.privateNetworks) {
        self.networks = networks
    }

    /// Whether the address is allowed. An IPv4 address mapped into IPv6 is checked as IPv4. Link-local IPv6 is
    /// refused: it needs an interface, which these sources do not name.
    package func allows(_ address: IPAddress) -> Bool {
        if let mapped = address.mappedIPv4 { return allows(mapped) }
        if address.isNoServer || address.isLinkLocalIPv6 { return false }
        if address.isLoopback || address.embeddedIPv4?.isLoopback == true { return false }
        return networks.contains { $0.contains(address) && !$0.isWholeNetwork(address) }
    }

    /// RFC 1918 and unique local IPv6 (RFC 4193), the default.
    package static let privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"]
        .compactMap { Network($0) }
}

extension InterfacePrefixes.Prefix {
    /// Reads `ADDRESS/LENGTH`, for example `10.0.0.0/8` or `fd00::/8`.
    ///
    /// - Returns: nil for any other text, for a scope, and if bits after the length are set, which is a typo.
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
