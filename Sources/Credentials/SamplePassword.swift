// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// The passwords of the accounts that the vendor's documentation and samples give away, which anybody tries first.
package enum SamplePassword {
    private static let all = ["Relativity", "simple"].map { Array($0.utf8) }

    /// Takes the same time for every secret of a length.
    package static func isSame(as secret: UnsafeRawBufferPointer) -> Bool {
        all.contains { $0.count == secret.count && CRYPTO_memcmp(secret.baseAddress, $0, $0.count) == 0 }
    }
}
