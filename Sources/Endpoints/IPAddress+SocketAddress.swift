// SPDX-License-Identifier: Apache-2.0

import Glibc

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
