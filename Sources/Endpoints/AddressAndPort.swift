// SPDX-License-Identifier: Apache-2.0

/// The address of a server that the administrator configured, such as a DNS server: a literal address and a port.
package struct AddressAndPort: Sendable, Hashable {
    /// The address; link-local IPv6 has a scope.
    package let address: IPAddress
    /// The port.
    package let port: UInt16

    /// A pair of these values.
    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// Reads `10.0.0.53`, `10.0.0.53:5353`, `fd00::53` or `[fd00::53]:5353`. Link-local IPv6 needs the index of its
    /// interface, as in `fe80::1%2`.
    ///
    /// - Returns: nil for any other text, and for addresses that name no single host.
    package init?(_ text: String, defaultPort: UInt16) {
        var literal = text[...]
        var port = defaultPort
        if let colon = text.lastIndex(of: ":"),
            text.hasPrefix("[") ? text[..<colon].hasSuffix("]") : text.isDottedQuad(upTo: colon)
        {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits), number > 0 else {
                return nil
            }
            port = number
            literal = text[..<colon]
        }
        if literal.hasPrefix("[") {
            guard literal.hasSuffix("]"), literal.contains(":") else { return nil }
            literal = literal.dropFirst().dropLast()
        }
        guard let address = IPAddress(String(literal)), !address.namesNoHost,
            !address.isLinkLocalIPv6 || address.scope != 0
        else { return nil }
        self.init(address, port: port)
    }
}

extension AddressAndPort: CustomStringConvertible {
    /// The form that `init(_:defaultPort:)` reads, always with the port.
    package var description: String {
        address.family == .inet6 ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}

extension String {
    fileprivate func isDottedQuad(upTo end: Index) -> Bool { !self[..<end].contains(":") }
}
