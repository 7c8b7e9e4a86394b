// SPDX-License-Identifier: Apache-2.0

extension IPAddress {
    /// The IPv4 address that an IPv6 address contains, as some gateway or kernel may interpret it: mapped and
    /// compatible (RFC 4291, section 2.5.5), translated (RFC 2765, RFC 6052) and 6to4 (RFC 3056). Nil for all others.
    package var embeddedIPv4: IPAddress? {
        guard family == .inet6 else { return nil }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return IPAddress(bytes: Array(bytes[2..<6])) }
        // ::1 and :: contain no IPv4 address.
        let isCompatible = bytes[..<12].allSatisfy { $0 == 0 } && bytes[12..<15].contains { $0 != 0 }
        guard isCompatible || Self.translators.contains(Array(bytes[..<12])) else { return nil }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    /// `::ffff:0:0/96`, `::ffff:0:0:0/96` and `64:ff9b::/96`.
    private static let translators: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF],
        [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
        [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]

    /// Whether it is a cloud's metadata service, which gives credentials to the machines of the cloud, in any
    /// spelling.
    package var isMetadataService: Bool {
        embeddedIPv4?.isMetadataService ?? Self.metadataServices.contains(bytes)
    }

    /// 169.254.169.254, fd00:ec2::254 and fd20:ce::254.
    private static let metadataServices: [[UInt8]] = [
        [169, 254, 169, 254],
        [0xFD, 0, 0x0E, 0xC2] + [UInt8](repeating: 0, count: 10) + [0x02, 0x54],
        [0xFD, 0x20, 0, 0xCE] + [UInt8](repeating: 0, count: 10) + [0x02, 0x54],
    ]

    /// Whether no source, not even the user, may name this address: it names no single host, or is a cloud's metadata
    /// service.
    package var isNoServer: Bool { namesNoHost || isMetadataService }
}
