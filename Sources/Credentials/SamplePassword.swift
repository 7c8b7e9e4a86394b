// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// The passwords of accounts in the vendor's documentation and samples, which an attacker tries first.
package enum SamplePassword {
    private static let all = ["Relativity", "simple"].map { Array($0.utf8) }

    /// Whether a secret is one of them. Takes the same time for all secrets of the same length.
    package static func isSame(as secret: UnsafeRawBufferPointer) -> Bool {
        all.contains { $0.count == secret.count && CRYPTO_memcmp(secret.baseAddress, $0, $0.count) == 0 }
    }
}
