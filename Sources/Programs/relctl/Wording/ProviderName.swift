// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A kind of key slot, as on the command line and in the API.
enum ProviderName: String, ExpressibleByArgument, CaseIterable {
    case passphrase
    case recoveryCode = "recovery-code"
    case credentialsDirectory = "credentials-directory"
    case systemdCreds = "systemd-creds"
    case secretService = "secret-service"
    case keyFile = "key-file"

    /// The name of the secret in a prompt; nil if the key is stored outside the vault.
    var prompt: String? {
        switch self {
        case .passphrase: "passphrase"
        case .recoveryCode: "recovery code"
        case .credentialsDirectory, .systemdCreds, .secretService, .keyFile: nil
        }
    }
}
