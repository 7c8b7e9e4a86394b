// SPDX-License-Identifier: Apache-2.0

/// The obstacle that a key slot is for a thief who has the disk. The raw value is used in the API
/// (`Credentials.SlotStrength`).
package enum SlotStrength: String, Sendable, Hashable, CaseIterable {
    /// The passphrase has to be guessed.
    case passphrase
    /// 160 random bits have to be guessed.
    case recoveryCode
    /// The keyring has to be opened.
    case loginKeyring
    /// The key does not leave this machine.
    case machine
    /// The administrator decided where the key is.
    case administrator
    /// None: the key is on the same disk.
    case obfuscation
}

/// A phrase for people.
extension SlotStrength: CustomStringConvertible {
    package var description: String {
        switch self {
        case .passphrase: "as good as the passphrase"
        case .recoveryCode: "160 bits"
        case .loginKeyring: "that of the login keyring"
        case .machine: "bound to this machine"
        case .administrator: "set by the administrator"
        case .obfuscation: "obfuscation only"
        }
    }
}
