// SPDX-License-Identifier: Apache-2.0

/// One thing a source reported: a service instance on one interface and protocol.
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

    package var key: Key
    /// The interface's name, for example `eth0`; empty for a source that is bound to none.
    package var interfaceName: String
    /// The host name from SRV: foreign text.
    package var host: String
    package var port: UInt16
    /// Announcements cannot tell it: they are taken for plain HTTP.
    package var scheme: ServerURL.Scheme
    /// Announcements cannot tell it: they are taken for the usual path.
    package var path: String
    /// The address that the host name resolved to on this interface; link-local ones carry their scope.
    package var address: IPAddress
    /// TXT strings in wire order, each at most 255 bytes, any byte.
    package var txt: [[UInt8]]
    /// The announcement came from this machine itself.
    package var isLocal: Bool

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
        self.key = key
        self.interfaceName = interfaceName
        self.host = host
        self.port = port
        self.scheme = scheme
        self.path = path
        self.address = address
        self.txt = txt
        self.isLocal = isLocal
    }
}

/// IPv4 or IPv6.
package enum AddressFamily: String, Sendable, Hashable, Codable {
    case inet, inet6
}
