// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

/// A resolver of Avahi for one instance on one interface and protocol. While it is open it reports every change of
/// port, TXT or address. A browser reports none of these.
final class Resolver: NumberedResolver {
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
        connection.resolverMade()
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
        connection.resolverFreed()
    }
}

/// The result of a resolver, copied out of Avahi's memory.
struct Resolution: Sendable, Hashable {
    var interfaceName: String
    var host: String
    var address: IPAddress
    var port: UInt16
    var txt: TXTRecord
    var isLocal: Bool
}

extension Resolution {
    /// - Returns: nil if Avahi reported no host or no address.
    init?(
        _ interface: AvahiIfIndex,
        _ host: UnsafePointer<CChar>?,
        _ address: UnsafePointer<AvahiAddress>?,
        _ port: UInt16,
        _ txt: UnsafeMutablePointer<AvahiStringList>?,
        _ flags: AvahiLookupResultFlags
    ) {
        guard let host, let address, let address = IPAddress(address.pointee, interface: interface) else { return nil }
        interfaceName = Self.name(of: interface)
        self.host = String(cString: host)
        self.address = address
        self.port = port
        self.txt = TXTRecord(avahi: txt)
        let ours = AVAHI_LOOKUP_RESULT_LOCAL.rawValue | AVAHI_LOOKUP_RESULT_OUR_OWN.rawValue
        isLocal = UInt32(flags.rawValue) & ours != 0
    }

    private static func name(of interface: AvahiIfIndex) -> String {
        InterfaceName.of(UInt32(clamping: interface)) ?? "if\(interface)"
    }
}

extension IPAddress {
    /// Avahi does not report the scope: a link-local address belongs to the interface that received it.
    init?(_ address: AvahiAddress, interface: AvahiIfIndex) {
        guard let family = AddressFamily(avahi: address.proto) else { return nil }
        let bytes = withUnsafeBytes(of: address.data) { Array($0.prefix(family == .inet ? 4 : 16)) }
        self.init(bytes: bytes, scope: UInt32(clamping: interface))
    }
}

/// The strings of a TXT record in wire order, with limits (RFC 6763, section 6).
struct TXTRecord: Sendable, Hashable {
    let strings: [[UInt8]]
    /// Whether strings were left out, from the end.
    let isTruncated: Bool

    init(_ strings: [[UInt8]]) {
        self.strings = Array(TXTStrings.fitting(strings))
        isTruncated = self.strings.count < strings.count
    }

    /// Copies Avahi's list. In a list from libavahi-client, the head is the first string on the wire.
    init(avahi list: UnsafeMutablePointer<AvahiStringList>?) {
        var strings: [[UInt8]] = []
        for entry in sequence(first: list, next: { avahi_string_list_get_next($0) }) {
            guard let entry, let text = avahi_string_list_get_text(entry) else { break }
            strings.append(Array(UnsafeBufferPointer(start: text, count: avahi_string_list_get_size(entry))))
        }
        self.init(strings)
    }

    /// Calls `body` with a list that is sent in wire order, and frees it afterwards.
    func withAvahiList<Result>(_ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result) -> Result {
        // In a list to be sent, the last string comes first, unlike in a received one.
        let list = strings.reduce(nil) { avahi_string_list_add_arbitrary($0, $1, $1.count) }
        defer { avahi_string_list_free(list) }
        return body(list)
    }
}
