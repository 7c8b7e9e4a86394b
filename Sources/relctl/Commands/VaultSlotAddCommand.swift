// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocalAPI
import Platform

struct VaultSlotAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a key slot to the unlocked vault.",
        discussion: "The vault is as weak as its weakest slot, which 'relctl vault status' names."
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var key: KeyOptions
    @Flag(help: "Read the new passphrase as one line of standard input.")
    var stdin = false
    @Option(help: "Write the recovery code into this new file instead of showing it.", completion: .file())
    var recoveryCodeFile: String?

    func validate() throws {
        guard let provider = key.provider else { throw ValidationError("--provider says what kind of slot to add") }
        if stdin, provider != .passphrase { throw ValidationError("--stdin is for --provider passphrase") }
        if recoveryCodeFile != nil, provider != .recoveryCode {
            throw ValidationError("--recovery-code-file is for --provider recovery-code")
        }
    }

    func run() throws {
        guard let provider = key.provider else { return }
        let input = try SecretInput()
        try VaultCommand.requireUnlocked()
        let secrets = try secret(provider, input).map { [$0] } ?? []
        let reply = try RecoveryCodeInput.keeping(recoveryCodeFile) {
            try output.client("deriving the vault's key").call(
                CredentialsAPI.AddSlotCall(
                    provider: provider.rawValue,
                    label: key.label,
                    insecureKeyFile: key.insecureKeyfile
                ),
                secrets: secrets
            )
        }
        VaultCommand.tell(reply.vault, output)
    }

    private func secret(_ provider: ProviderName, _ input: SecretInput) throws -> HeldSecret? {
        switch provider {
        case .passphrase:
            return HeldSecret(
                try input.read(
                    "new passphrase",
                    fromStandardInput: stdin,
                    isNew: true,
                    maximumBytes: SecretLineReader.maximumPassphraseBytes
                )
            )
        case .recoveryCode:
            let codes = RecoveryCodeInput(arena: input.arena)
            if let recoveryCodeFile { return try codes.write(to: recoveryCodeFile) }
            guard Terminal.inputIsTerminal else {
                throw Failure(
                    .usage,
                    "standard input is no terminal to show a recovery code on: --recovery-code-file names a new file for it"
                )
            }
            return try codes.show()
        default:
            return nil
        }
    }
}
