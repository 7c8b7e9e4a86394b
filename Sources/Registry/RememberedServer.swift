// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What is kept of a server that was used once, so that it stays in the list and is recognised when it comes back.
struct RememberedServer: Sendable, Hashable {
    static let mostUsedAddresses = 8

    /// As it was announced when it was first used: its name in the list.
    let instance: ServiceInstance
    /// Where it was sighted last, and by which source.
    var source: SourceName
    /// Empty for a source that is bound to no interface.
    var interfaceName: String
    var host: String
    var port: UInt16
    var scheme: ServerURL.Scheme
    var path: String
    var addresses: [IPAddress]
    /// Where it was when it was last used, however often it has been announced elsewhere since.
    var usedHost: String
    /// As `usedHost`, at most 8.
    var usedAddresses: [IPAddress]

    /// A server that is used where it is sighted.
    init(
        instance: ServiceInstance,
        source: SourceName,
        interfaceName: String,
        host: String,
        port: UInt16,
        scheme: ServerURL.Scheme,
        path: String,
        addresses: [IPAddress]
    ) {
        self.instance = instance
        self.source = source
        self.interfaceName = interfaceName
        self.host = host
        self.port = port
        self.scheme = scheme
        self.path = path
        self.addresses = addresses
        usedHost = host
        usedAddresses = Array(addresses.prefix(Self.mostUsedAddresses))
    }

    var name: InstanceName { InstanceName(instance) }

    var locators: [HostOrAddress] { Self.locators(host, addresses) }

    /// By these it is recognised for good.
    var usedLocators: [HostOrAddress] { Self.locators(usedHost, usedAddresses) }

    var addressPlaces: [HostAndPort] { addresses.map { HostAndPort(locator: .address($0.bytes), port: port) } }

    private static func locators(_ host: String, _ addresses: [IPAddress]) -> [HostOrAddress] {
        (host.isEmpty ? [] : [.host(HostName(host))]) + addresses.map { .address($0.bytes) }
    }

    /// nil where it was never sighted at an address.
    var url: ServerURL? {
        addresses.first.map { address in
            let host = ServerHost(announced: HostName(host).text, at: address, interface: interfaceName)
            return ServerURL(scheme: scheme, host: host, port: port, path: path)
        }
    }
}
