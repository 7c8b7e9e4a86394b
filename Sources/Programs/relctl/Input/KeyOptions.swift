// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

/// Options of the verbs that make a key slot.
struct KeyOptions: ParsableArguments {
    @Option(help: "What opens the vault.")
    var provider: ProviderName?
    @Option(help: "A name for the slot.")
    var label: String?
    @Flag(help: "Accept that a key file only hides the key: whoever has the disk has the key.")
    var insecureKeyfile = false

    func validate() throws {
        if provider == .keyFile, !insecureKeyfile {
            throw ValidationError("a key file protects nothing from a thief with the disk: say --insecure-keyfile too")
        }
    }
}

/// What a login string says beyond user, password, domain and schema, and how it calls the user.
struct ExtraKeyOptions: ParsableArguments {
    @Option(help: "How the server calls the user in a login string: 'User Id' (the default) or 'User'.")
    var userKey: String?
    @Option(
        help: ArgumentHelp(
            "One more key of the login string, for servers that want one. No secret: other programs see it. Repeatable.",
            valueName: "key=value"
        )
    )
    var extra: [String] = []

    var isEmpty: Bool { userKey == nil && extra.isEmpty }

    func validate() throws {
        guard extra.allSatisfy({ $0.contains("=") }) else { throw ValidationError("--extra takes KEY=VALUE") }
    }

    /// The keys that were given; nil without any.
    var extras: [CredentialsAPI.Extra]? {
        guard !extra.isEmpty else { return nil }
        return extra.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return CredentialsAPI.Extra(key: parts[0], value: parts[1])
        }
    }
}

/// What opens a vault that comes from elsewhere. Its file cannot be asked: only the daemon reads it.
struct CopyKeyOptions: ParsableArguments {
    @Option(help: "What opens the file; the passphrase, if nothing is said.")
    var provider: ProviderName?
    @Flag(help: "Open with the recovery code; short for --provider recovery-code.")
    var recoveryCode = false
    @Flag(help: "Read the passphrase or recovery code as one line of standard input.")
    var stdin = false

    func validate() throws {
        if recoveryCode, provider ?? .recoveryCode != .recoveryCode {
            throw ValidationError("--recovery-code and --provider exclude each other")
        }
        if stdin, kind.prompt == nil {
            throw ValidationError("--provider \(kind.rawValue) takes nothing from standard input")
        }
    }

    var kind: ProviderName { provider ?? (recoveryCode ? .recoveryCode : .passphrase) }

    /// Nothing where the key is kept outside.
    func read() throws -> [HeldSecret] {
        guard let prompt = kind.prompt else { return [] }
        let secret = try SecretInput().read(
            prompt + " of the file",
            fromStandardInput: stdin,
            isNew: false,
            maximumBytes: SecretLineReader.maximumPassphraseBytes,
            option: "--stdin"
        )
        return [HeldSecret(secret)]
    }
}

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
