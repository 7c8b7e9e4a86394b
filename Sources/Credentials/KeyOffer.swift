// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What somebody brings to open the vault, or to make a key slot of.
package enum KeyOffer: Sendable {
    /// 1 to 1024 bytes of UTF-8, as typed.
    case passphrase(SharedSecret)
    /// The text of a recovery code, as typed (`RecoveryCode`).
    case recoveryCode(SharedSecret)
    /// A key that is kept outside; any kind but the two above.
    case provider(KeyProviderKind)

    package var kind: KeyProviderKind {
        switch self {
        case .passphrase: .passphrase
        case .recoveryCode: .recoveryCode
        case .provider(let kind): kind
        }
    }
}
