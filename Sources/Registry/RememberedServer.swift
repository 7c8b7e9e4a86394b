// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What is kept of a server that was used once, so that it stays in the list and is recognised when it comes back.
struct RememberedServer: Sendable, Hashable {
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

    var name: InstanceName { InstanceName(instance) }

    var locators: [Locator] {
        (host.isEmpty ? [] : [.host(HostName(host))]) + addresses.map { .address($0.bytes) }
    }

    var places: [Place] { locators.map { Place(locator: $0, port: port) } }

    /// nil where it was never sighted at an address.
    var url: ServerURL? {
        addresses.first.map { address in
            let host = ServerHost(announced: HostName(host).text, at: address, interface: interfaceName)
            return ServerURL(scheme: scheme, host: host, port: port, path: path)
        }
    }
}
