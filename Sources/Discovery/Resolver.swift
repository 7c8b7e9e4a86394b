// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// Avahi's resolver for one instance on one interface and protocol. While it is open it reports every change of port, TXT
/// or address; a browser reports none of them.
final class Resolver {
    /// Distinguishes resolvers of the same key.
    let number: Int
    private let connection: AvahiConnection
    private let resolver: OpaquePointer
    private let callback: Callback<Resolution?>

    /// Blocks for one D-Bus call.
    ///
    /// - Parameter report: called by Avahi on the loop's thread; nil says that there is no answer (now).
    init(
        _ number: Int,
        of key: Sighting.Key,
        on connection: AvahiConnection,
        report: @escaping @Sendable (Resolution?) -> Void
    ) throws(DiscoveryError) {
        self.number = number
        self.connection = connection
        callback = Callback(report)
        // Without an address family of its own, an IPv4 question may be answered with a link-local IPv6 address.
        let resolver = avahi_service_resolver_new(
            connection.client,
            key.interface,
            key.family.avahi,
            key.instance.name,
            key.instance.type,
            key.instance.domain,
            key.family.avahi,
            AvahiLookupFlags(0),
            { _, interface, _, event, _, _, _, host, address, port, txt, flags, userdata in
                let isFound = event == AVAHI_RESOLVER_FOUND
                let resolution = isFound ? Resolution(interface, host, address, port, txt, flags) : nil
                Callback.deliver(resolution, to: userdata)
            },
            callback.userdata
        )
        guard let resolver else { throw connection.lastError }
        self.resolver = resolver
        connection.resolvers += 1
    }

    /// Must not be called after the connection was freed.
    func free() {
        avahi_service_resolver_free(resolver)
        connection.resolvers -= 1
        connection.isFull = false
    }
}
