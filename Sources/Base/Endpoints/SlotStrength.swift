// SPDX-License-Identifier: Apache-2.0

/// A phrase for people.
extension SlotStrength: CustomStringConvertible {
    /// The phrase.
    public var description: String {
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
