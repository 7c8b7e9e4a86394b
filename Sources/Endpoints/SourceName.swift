// SPDX-License-Identifier: Apache-2.0

/// The name of a source of sightings: `avahi`, `dns:` and a domain, or `etcd:` and the list's name.
package struct SourceName: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// At most 260 bytes of text from the configuration, never from the network.
    package let text: String

    /// The source with this name.
    package init(_ text: String) {
        self.text = text
    }

    /// The multicast DNS of this machine's links.
    package static let avahi = SourceName("avahi")

    /// A domain that is browsed through DNS servers.
    package static func dns(domain: String) -> SourceName { SourceName("dns:\(domain)") }

    /// A shared list in etcd, by the name that the configuration gives it.
    package static func etcd(_ name: String) -> SourceName { SourceName("etcd:\(name)") }

    /// The name itself.
    package var description: String { text }

    /// Compares the names as text.
    package static func < (left: SourceName, right: SourceName) -> Bool { left.text < right.text }
}
