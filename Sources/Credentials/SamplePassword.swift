// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// The password of the accounts that the vendor's documentation gives away, which anybody tries first.
package enum SamplePassword {
    private static let bytes = Array("Relativity".utf8)

    /// Takes the same time for every secret of its length.
    package static func isSame(as secret: UnsafeRawBufferPointer) -> Bool {
        secret.count == bytes.count && CRYPTO_memcmp(secret.baseAddress, bytes, bytes.count) == 0
    }
}
