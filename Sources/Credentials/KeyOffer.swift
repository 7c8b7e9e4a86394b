// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The input for opening a vault or making a key slot.
package enum KeyOffer: Sendable {
    /// 1 to 1024 bytes of UTF-8, as typed.
    case passphrase(SharedSecret)
    /// The text of a recovery code, as typed (`RecoveryCode`).
    case recoveryCode(SharedSecret)
    /// A key that is stored outside the vault: any kind except the two above.
    case provider(KeyProviderKind)

    /// The kind of slot that this input is for.
    package var kind: KeyProviderKind {
        switch self {
        case .passphrase: .passphrase
        case .recoveryCode: .recoveryCode
        case .provider(let kind): kind
        }
    }
}
