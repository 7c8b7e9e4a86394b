// SPDX-License-Identifier: Apache-2.0

/// A report of a source: one service instance on one interface and protocol.
///
/// It takes one word of memory: the source that reports it and the registry that keeps it share the rest.
package struct Sighting: Sendable, Hashable, Codable {
    /// The identity of a sighting. One server is usually sighted under several keys.
    package struct Key: Sendable, Hashable, Codable {
        /// The source that reports it.
        package var source: SourceName
        /// The reported service instance.
        package var instance: ServiceInstance
        /// The interface index, as from `if_nametoindex`; 0 for a source that is not bound to an interface.
        package var interface: Int32
        /// The address family. A server usually has a sighting for each.
        package var family: AddressFamily

        /// A key with these values.
        package init(
            source: SourceName = .avahi,
            instance: ServiceInstance,
            interface: Int32,
            family: AddressFamily
        ) {
            self.source = source
            self.instance = instance
            self.interface = interface
            self.family = family
        }
    }

    private struct Facts: Sendable, Hashable, Codable {
        var key: Key
        var interfaceName: String
        var host: String
        var port: UInt16
        var scheme: ServerURL.Scheme
        var path: String
        var address: IPAddress
        var txt: [[UInt8]]
        var isLocal: Bool
    }

    private var facts: Shared<Facts>

    /// The identity of the sighting.
    package var key: Key {
        get { facts.value.key }
        set { facts.value.key = newValue }
    }
    /// The interface's name, for example `eth0`; empty for a source that is not bound to an interface.
    package var interfaceName: String {
        get { facts.value.interfaceName }
        set { facts.value.interfaceName = newValue }
    }
    /// The host name from the SRV record. It is untrusted text.
    package var host: String {
        get { facts.value.host }
        set { facts.value.host = newValue }
    }
    /// The port of the server.
    package var port: UInt16 {
        get { facts.value.port }
        set { facts.value.port = newValue }
    }
    /// The scheme. DNS-SD does not announce it, so it is plain HTTP there.
    package var scheme: ServerURL.Scheme {
        get { facts.value.scheme }
        set { facts.value.scheme = newValue }
    }
    /// The dispatcher path. DNS-SD does not announce it, so it is the default path there.
    package var path: String {
        get { facts.value.path }
        set { facts.value.path = newValue }
    }
    /// The address that the host name resolved to on this interface. Link-local ones have a scope.
    package var address: IPAddress {
        get { facts.value.address }
        set { facts.value.address = newValue }
    }
    /// TXT strings in wire order, each of at most 255 bytes of any value.
    package var txt: [[UInt8]] {
        get { facts.value.txt }
        set { facts.value.txt = newValue }
    }
    /// Whether this machine made the announcement.
    package var isLocal: Bool {
        get { facts.value.isLocal }
        set { facts.value.isLocal = newValue }
    }

    /// A sighting with these values.
    package init(
        key: Key,
        interfaceName: String,
        host: String,
        port: UInt16,
        scheme: ServerURL.Scheme = .http,
        path: String = ServerURL.usualPath,
        address: IPAddress,
        txt: [[UInt8]],
        isLocal: Bool
    ) {
        facts = Shared(
            Facts(
                key: key,
                interfaceName: interfaceName,
                host: host,
                port: port,
                scheme: scheme,
                path: path,
                address: address,
                txt: txt,
                isLocal: isLocal
            )
        )
    }
}

/// IPv4 or IPv6.
package enum AddressFamily: String, Sendable, Hashable, Codable {
    case inet, inet6
}

/// An event of a source of sightings.
package enum SightingEvent: Sendable, Hashable, Codable {
    /// A sighting with a new key, or with new facts for a known key.
    case sighted(Sighting)
    /// The source no longer reports the sighting with this key.
    case vanished(Sighting.Key)
    /// The source can no longer determine whether the instance exists, for example because its interface is down. The
    /// sighting is stale until it is sighted again, vanishes, or the source settles again.
    case lost(Sighting.Key)
    /// The source has reported everything that it knew when it came up. Sightings from before `down` that were not
    /// reported again are gone.
    case settled
    /// The source works, or no longer works.
    case source(SourceState)
}

/// Whether a source of sightings works. After `down` its sightings are stale until it is `up` and has settled again.
package enum SourceState: Sendable, Hashable, Codable {
    case up
    case down(SourceFault)
}

/// A DNS-SD service instance, which a server announces (RFC 6763, section 4.1).
///
/// Two instances are equal if their bytes are. Swift's `String` would also equate the composed and the decomposed
/// form of a letter, and all names that are not UTF-8 would look alike, so that one announcement could be taken for
/// another.
///
/// The type takes one word of memory, because it is part of every key of a sighting, and there are tables with
/// thousands of keys.
package struct ServiceInstance: Sendable, Codable {
    private struct Parts: Sendable, Hashable, Codable {
        let nameBytes: [UInt8]
        let type: String
        let domain: String
    }

    private let parts: Shared<Parts>

    /// The announced instance name: at most 63 bytes of any value.
    package var nameBytes: [UInt8] { parts.value.nameBytes }
    /// The service type, for example `_Relativity_DataService_rosdk._tcp`.
    package var type: String { parts.value.type }
    /// The domain, for example `local`.
    package var domain: String { parts.value.domain }

    /// The name as text, with U+FFFD for bytes outside UTF-8. It is untrusted text, and does not identify the
    /// instance.
    package var name: String { String(decoding: nameBytes, as: UTF8.self) }

    /// An instance whose name may have any bytes.
    package init(nameBytes: [UInt8], type: String, domain: String) {
        parts = Shared(Parts(nameBytes: nameBytes, type: type, domain: domain))
    }

    /// An instance whose name is text.
    package init(name: String, type: String, domain: String) {
        self.init(nameBytes: Array(name.utf8), type: type, domain: domain)
    }
}

extension ServiceInstance: Hashable {
    /// Compares the bytes.
    package static func == (one: Self, other: Self) -> Bool {
        one.parts.isCopy(of: other.parts)
            || one.nameBytes == other.nameBytes
                && one.type.hasSameBytes(as: other.type) && one.domain.hasSameBytes(as: other.domain)
    }

    /// Hashes the name only.
    package func hash(into hasher: inout Hasher) {
        // Nearly all instances have the same type and domain, so these would not improve the hash.
        nameBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

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

/// The part of a TXT record that is kept, whatever its source.
package enum TXTStrings {
    /// The length on the wire, each string with its length byte: it fits one Ethernet frame (RFC 6763, section 6.2).
    package static let maximumBytes = 1_300
    /// The number of strings. An empty string takes one byte on the wire, but many in memory.
    package static let maximumCount = 64

    /// The leading strings that fit the limits.
    package static func fitting(_ strings: [[UInt8]], maximumBytes: Int = Self.maximumBytes) -> ArraySlice<[UInt8]> {
        var room = maximumBytes
        return strings.prefix(maximumCount).prefix { string in
            room -= 1 + string.count
            return room >= 0 && string.count <= 255
        }
    }
}
