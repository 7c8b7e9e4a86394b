// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A kind of key slot, as it is typed and as the daemon calls it.
enum ProviderName: String, ExpressibleByArgument, CaseIterable {
    case passphrase
    case recoveryCode = "recovery-code"
    case credentialsDirectory = "credentials-directory"
    case systemdCreds = "systemd-creds"
    case secretService = "secret-service"
    case keyFile = "key-file"

    /// What a prompt asks for; nil for a key that is kept outside.
    var prompt: String? {
        switch self {
        case .passphrase: "passphrase"
        case .recoveryCode: "recovery code"
        case .credentialsDirectory, .systemdCreds, .secretService, .keyFile: nil
        }
    }
}
