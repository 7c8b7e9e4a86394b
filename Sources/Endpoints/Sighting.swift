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
