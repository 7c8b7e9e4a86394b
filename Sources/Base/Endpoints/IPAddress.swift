// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An IPv4 or IPv6 address as bytes in network order. The scope of a link-local IPv6 address is the interface index.
package struct IPAddress: Sendable, Hashable, Codable {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]
    /// The interface index of a link-local IPv6 address, otherwise 0.
    package let scope: UInt32

    /// - Returns: nil unless `bytes` has 4 or 16 elements. The scope is kept for link-local IPv6 only.
    package init?(bytes: [UInt8], scope: UInt32 = 0) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        self.scope = Self.isLinkLocalIPv6(bytes) ? scope : 0
    }

    /// Reads dotted decimal (four parts, as `inet_pton` does) or RFC 4291 text, with an optional scope as `%INDEX`.
    package init?(_ text: String) {
        // Most texts are host names. They are rejected here without a copy.
        let isV6 = text.utf8.contains(UInt8(ascii: ":"))
        guard isV6 || text.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return nil }
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let literal = parts.first, !literal.utf8.contains(0) else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            // `UInt32.init` alone would also accept a sign.
            let isNumber = parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) }
            guard isNumber, let index = UInt32(parts[1]), index > 0 else { return nil }
            scope = index
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(isV6 ? AF_INET6 : AF_INET, String(literal), &bytes) == 1 else { return nil }
        self.init(bytes: isV6 ? bytes : Array(bytes[..<4]), scope: scope)
        if scope != self.scope { return nil }
    }

    /// IPv4 or IPv6.
    package var family: AddressFamily { bytes.count == 4 ? .inet : .inet6 }

    /// Whether it is in 127.0.0.0/8, is ::1, or is in the same IPv4 range mapped into IPv6.
    package var isLoopback: Bool {
        if let mapped = mappedIPv4 { return mapped.isLoopback }
        return family == .inet ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Whether it is in fe80::/10. Such an address is ambiguous without an interface.
    package var isLinkLocalIPv6: Bool { Self.isLinkLocalIPv6(bytes) }

    private static func isLinkLocalIPv6(_ bytes: [UInt8]) -> Bool {
        bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// The IPv4 address inside `::ffff:0:0/96` (RFC 4291, section 2.5.5.2), otherwise nil.
    package var mappedIPv4: IPAddress? {
        guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
            return nil
        }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    /// Whether it names no single host: unspecified, 0.0.0.0/8, multicast or the limited broadcast address.
    package var namesNoHost: Bool {
        if let embedded = embeddedIPv4 { return embedded.namesNoHost }
        if family == .inet { return bytes[0] == 0 || bytes[0] >= 224 }
        return bytes[0] == 0xFF || bytes.allSatisfy { $0 == 0 }
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or RFC 5952 text, with `%INDEX` if there is a scope.
    package var description: String {
        let kind = family == .inet ? AF_INET : AF_INET6
        let text = String(unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { buffer in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                inet_ntop(kind, bytes, buffer.baseAddress, socklen_t(buffer.count)).map(strlen) ?? 0
            }
        }
        return scope == 0 ? text : "\(text)%\(scope)"
    }
}

extension IPAddress {
    /// Reads the bytes of a `sockaddr_in` or `sockaddr_in6` from the kernel or the resolver.
    ///
    /// It reads them by their layout (ip(7), ipv6(7)), because the module that exports the structs depends on earlier
    /// imports.
    ///
    /// - Returns: nil for another family or too few bytes.
    package init?(socketAddress bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 2 else { return nil }
        switch (Int32(bytes.loadUnaligned(as: UInt16.self)), bytes.count) {
        case (AF_INET, 8...):
            self.init(bytes: Array(bytes[4..<8]))
        case (AF_INET6, 28...):
            self.init(bytes: Array(bytes[8..<24]), scope: bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        default:
            return nil
        }
    }
}

extension IPAddress {
    /// The address without its scope, which is a number on this machine that can change when it restarts.
    package var withoutScope: IPAddress { IPAddress(bytes: bytes) ?? self }

    /// The name of the interface of a link-local address. Nil for every other address, and if the interface does not
    /// exist.
    package var interfaceName: String? { InterfaceName.of(scope) }
}

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
