// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// Comparison of tags, commitments and other values, in a time that does not depend on where they first differ.
package enum ConstantTime {
    /// Compares in a time that depends on the lengths only.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    /// Compares in a time that depends on the lengths only.
    package static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
}
