// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Endpoints

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
