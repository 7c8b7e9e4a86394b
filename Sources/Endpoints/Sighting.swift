// SPDX-License-Identifier: Apache-2.0

/// One thing a source reported: a service instance on one interface and protocol.
package struct Sighting: Sendable, Hashable, Codable {
    /// Where a sighting was made. One server is usually sighted under several keys.
    package struct Key: Sendable, Hashable, Codable {
        package var instance: ServiceInstance
        /// Interface index, as in `if_nametoindex`.
        package var interface: Int32
        package var family: AddressFamily

        package init(instance: ServiceInstance, interface: Int32, family: AddressFamily) {
            self.instance = instance
            self.interface = interface
            self.family = family
        }
    }

    package var key: Key
    /// The interface's name, for example `eth0`.
    package var interfaceName: String
    /// The host name from SRV: foreign text.
    package var host: String
    package var port: UInt16
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
        address: IPAddress,
        txt: [[UInt8]],
        isLocal: Bool
    ) {
        self.key = key
        self.interfaceName = interfaceName
        self.host = host
        self.port = port
        self.address = address
        self.txt = txt
        self.isLocal = isLocal
    }
}

/// IPv4 or IPv6.
package enum AddressFamily: String, Sendable, Hashable, Codable {
    case inet, inet6
}
