// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A DNS domain that is browsed for servers.
package struct DNSDomainConfiguration: Sendable, Hashable {
    /// For example `example.org`: letters, digits, `-` and `_` between dots, without a dot at the end.
    package var name: String
    /// The DNS servers to query, at most three. If empty, those of `/etc/resolv.conf` are used.
    package var servers: [AddressAndPort] = []
    /// The networks that records of the domain may point to.
    package var addresses = NetworkPolicy.privateNetworks
}

extension DNSDomainConfiguration: ConfigurationTable {
    static var unique: Unique { [("name", { $0.name == $1.name })] }

    private static let port: UInt16 = 53

    init(_ table: TableReader) throws(ConfigurationError) {
        var table = table
        let name = try table.text("name", expected: Self.expectedName, Self.checked)
        self.init(name: try table.required(name, "name", expected: Self.expectedName))
        let kind = "addresses such as \"10.0.0.53\" or \"10.0.0.53:5353\""
        servers = try table.texts("servers", 1...3, expected: kind) { AddressAndPort($0, defaultPort: Self.port) } ?? []
        addresses = try table.networks() ?? addresses
        try table.finish()
    }

    private static let expectedName = "a domain such as \"example.org\""

    private static func checked(_ text: String) -> String? {
        let name = text.hasSuffix(".") ? String(text.dropLast()) : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isValid = labels.allSatisfy { (1...63).contains($0.utf8.count) && ASCII.isWord($0, marks: "-_") }
        // Leaves space for a service type as prefix within the 255 bytes of a name.
        return isValid && name.utf8.count <= 180 ? name.lowercased() : nil
    }
}
