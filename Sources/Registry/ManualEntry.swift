// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A server that a person added: the user by hand or from a file, or the administrator.
package struct ManualEntry: Sendable, Hashable {
    package var name: String
    package var url: ServerURL
    /// Anything but `discovered`.
    package var origin: Origin
    /// What is usual for this server; the user's own settings go before it.
    package var usual: EndpointSettings

    package init(
        name: String,
        url: ServerURL,
        origin: Origin = .manual,
        usual: EndpointSettings = EndpointSettings()
    ) {
        self.name = name
        self.url = url
        self.origin = origin
        self.usual = usual
    }

    /// The administrator laid it down: it is not ours to save or to remove.
    package var isConfigured: Bool { origin == .configured }

    /// A sighting at this place is of the very server that this entry names. nil for a single label, which is no full
    /// host name and means another host elsewhere.
    var place: HostAndPort? {
        switch url.host {
        case .address(let address, _): HostAndPort(locator: .address(address.bytes), port: url.port)
        case .name(let name): name.contains(".") ? HostAndPort(locator: .host(HostName(name)), port: url.port) : nil
        }
    }
}
