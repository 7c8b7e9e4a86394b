// SPDX-License-Identifier: Apache-2.0

/// An IPv4 or IPv6 address as bytes in network order; IPv6 link-local addresses carry the interface index as scope.
package struct IPAddress: Sendable, Hashable, Codable {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]
    /// Interface index for link-local IPv6, else 0.
    package let scope: UInt32

    /// - Returns: nil unless `bytes` has 4 or 16 elements. The scope is kept for link-local IPv6 only.
    package init?(bytes: [UInt8], scope: UInt32 = 0) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
        let isLinkLocalV6 = bytes.count == 16 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        self.scope = isLinkLocalV6 ? scope : 0
    }

    package var family: AddressFamily { bytes.count == 4 ? .inet : .inet6 }
}
