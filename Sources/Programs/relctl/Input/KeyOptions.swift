// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI

/// Options of the commands that create a key slot.
struct KeyOptions: ParsableArguments {
    @Option(help: "Key provider that opens the vault.")
    var provider: ProviderName?
    @Option(help: "Label of the slot.")
    var label: String?
    @Flag(help: "Accept that a key file does not protect the vault from anyone who has the disk.")
    var insecureKeyfile = false

    func validate() throws {
        if provider == .keyFile, !insecureKeyfile {
            throw ValidationError("a key file is no protection if the disk is stolen: confirm with --insecure-keyfile")
        }
    }
}

/// Options for further keys of a login string, and for the key of its user.
struct ExtraKeyOptions: ParsableArguments {
    @Option(help: "The key of the user in the login string: 'User Id' (the default) or 'User'.")
    var userKey: String?
    @Option(
        help: ArgumentHelp(
            "Another key of the login string, if the server requires it. Not for secrets: visible to others. Repeatable.",
            valueName: "key=value"
        )
    )
    var extra: [String] = []

    var isEmpty: Bool { userKey == nil && extra.isEmpty }

    func validate() throws {
        guard extra.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--extra must be KEY=VALUE") }
    }

    /// The given keys; nil if there are none.
    var extras: [CredentialsAPI.Extra]? {
        guard !extra.isEmpty else { return nil }
        return extra.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return CredentialsAPI.Extra(key: parts[0], value: parts[1])
        }
    }
}

/// Options for opening a copy of a vault. The key slots of the file are unknown, because only the daemon reads it.
struct CopyKeyOptions: ParsableArguments {
    @Option(help: "Key provider that opens the file; by default the passphrase.")
    var provider: ProviderName?
    @Flag(help: "Open with the recovery code; short for --provider recovery-code.")
    var recoveryCode = false
    @Flag(help: "Read the passphrase or recovery code as one line of standard input.")
    var stdin = false

    func validate() throws {
        if recoveryCode, provider ?? .recoveryCode != .recoveryCode {
            throw ValidationError("--recovery-code and --provider cannot be used together")
        }
        if stdin, kind.prompt == nil {
            throw ValidationError("--provider \(kind.rawValue) reads no secret from standard input")
        }
    }

    var kind: ProviderName { provider ?? (recoveryCode ? .recoveryCode : .passphrase) }

    /// Reads the secret; empty if the key is stored outside the vault.
    func read() throws -> [HeldSecret] {
        guard let prompt = kind.prompt else { return [] }
        return [try SecretInput().read(prompt + " of the file", fromStandardInput: stdin)]
    }
}
