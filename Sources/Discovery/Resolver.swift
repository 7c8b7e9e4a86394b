// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// A resolver of Avahi for one instance on one interface and protocol. While it is open it reports every change of
/// port, TXT or address. A browser reports none of these.
final class Resolver {
    /// Distinguishes resolvers of the same key.
    let number: Int
    private let connection: AvahiConnection
    private let key: Sighting.Key
    private let report: Report
    private var resolver: OpaquePointer?

    /// Called by Avahi on the loop's thread; the resolution is nil if there is none now.
    typealias Report = @Sendable (_ number: Int, _ key: Sighting.Key, _ resolution: Resolution?) -> Void

    /// Blocks for one D-Bus call. The object must be kept until `free`, because Avahi has a pointer to it.
    ///
    /// - Parameter report: can be shared by all resolvers. There are thousands, and a closure for each would take
    ///   memory.
    init(
        _ number: Int,
        of key: Sighting.Key,
        on connection: AvahiConnection,
        report: @escaping Report
    ) throws(DiscoveryError) {
        self.number = number
        self.connection = connection
        self.key = key
        self.report = report
        // If the address family is not given, Avahi may answer an IPv4 query with a link-local IPv6 address.
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
                Resolver.deliver(resolution, to: userdata)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        guard let resolver else { throw connection.lastError }
        self.resolver = resolver
        connection.resolvers += 1
    }

    private static func deliver(_ resolution: Resolution?, to userdata: UnsafeMutableRawPointer?) {
        guard let userdata else { return }
        let resolver = Unmanaged<Resolver>.fromOpaque(userdata).takeUnretainedValue()
        resolver.report(resolver.number, resolver.key, resolution)
    }

    /// Must not be called after the connection was freed.
    func free() {
        guard let resolver else { return }
        avahi_service_resolver_free(resolver)
        connection.resolvers -= 1
        connection.isFull = false
    }
}
