// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Platform

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
