// SPDX-License-Identifier: Apache-2.0

/// One thing a source reported: a service instance on one interface and protocol.
///
/// It takes one word: the source that tells it and the registry that keeps it hold the same memory.
package struct Sighting: Sendable, Hashable, Codable {
    /// Where a sighting was made. One server is usually sighted under several keys.
    package struct Key: Sendable, Hashable, Codable {
        package var source: SourceName
        package var instance: ServiceInstance
        /// Interface index, as in `if_nametoindex`; 0 for a source that is bound to none.
        package var interface: Int32
        package var family: AddressFamily

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

    package var key: Key {
        get { facts.value.key }
        set { facts.value.key = newValue }
    }
    /// The interface's name, for example `eth0`; empty for a source that is bound to none.
    package var interfaceName: String {
        get { facts.value.interfaceName }
        set { facts.value.interfaceName = newValue }
    }
    /// The host name from SRV: foreign text.
    package var host: String {
        get { facts.value.host }
        set { facts.value.host = newValue }
    }
    package var port: UInt16 {
        get { facts.value.port }
        set { facts.value.port = newValue }
    }
    /// Announcements cannot tell it: they are taken for plain HTTP.
    package var scheme: ServerURL.Scheme {
        get { facts.value.scheme }
        set { facts.value.scheme = newValue }
    }
    /// Announcements cannot tell it: they are taken for the usual path.
    package var path: String {
        get { facts.value.path }
        set { facts.value.path = newValue }
    }
    /// The address that the host name resolved to on this interface; link-local ones carry their scope.
    package var address: IPAddress {
        get { facts.value.address }
        set { facts.value.address = newValue }
    }
    /// TXT strings in wire order, each at most 255 bytes, any byte.
    package var txt: [[UInt8]] {
        get { facts.value.txt }
        set { facts.value.txt = newValue }
    }
    /// The announcement came from this machine itself.
    package var isLocal: Bool {
        get { facts.value.isLocal }
        set { facts.value.isLocal = newValue }
    }

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
