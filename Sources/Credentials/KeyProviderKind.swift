// SPDX-License-Identifier: Apache-2.0

/// The kinds of key slot, by the source of the slot's secret. The raw value is the slot's type byte.
package enum KeyProviderKind: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case passphrase = 1
    case secretService = 2
    case systemdCreds = 3
    case recoveryCode = 4
    case keyFile = 5
    case credentialsDirectory = 6

    /// The name of the kind in commands and output.
    package var description: String {
        switch self {
        case .passphrase: "passphrase"
        case .secretService: "secret-service"
        case .systemdCreds: "systemd-creds"
        case .recoveryCode: "recovery-code"
        case .keyFile: "key-file"
        case .credentialsDirectory: "credentials-directory"
        }
    }

    /// Finds a kind by its name.
    package init?(_ text: String) {
        guard let kind = Self.allCases.first(where: { $0.description == text }) else { return nil }
        self = kind
    }

    /// The obstacle for a thief who has the disk, as a phrase.
    package var strength: String {
        switch self {
        case .passphrase: "as good as the passphrase"
        case .secretService: "that of the login keyring"
        case .systemdCreds: "bound to this machine"
        case .recoveryCode: "160 bits"
        case .keyFile: "obfuscation only"
        case .credentialsDirectory: "set by the administrator"
        }
    }
}
