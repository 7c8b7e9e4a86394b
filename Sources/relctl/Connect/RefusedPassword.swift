// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Platform

/// The password of a stored login that the server refuses, replaced at a terminal.
struct RefusedPassword {
    private let login: String
    private let input: SecretInput
    private let output: OutputOptions

    init(of login: String, _ input: SecretInput, _ output: OutputOptions) {
        (self.login, self.input, self.output) = (login, input, output)
    }

    /// Uses the login, and once more after its password was replaced.
    ///
    /// - Parameter isPermitted: whether a new password may be asked for.
    func replacing(isPermitted: Bool, _ use: () throws -> Void) throws {
        do {
            try use()
        } catch let error as DaemonError where error.code == .loginRejected && isPermitted {
            Terminal.writeError("relctl: \(PrintableText(error.message).text)\n")
            try replace()
            try use()
        }
    }

    private func replace() throws {
        for attempt in 1... {
            let password = HeldSecret(
                try input.read(
                    "new password",
                    fromStandardInput: false,
                    isNew: false,
                    maximumBytes: SecretLineReader.maximumPasswordBytes
                )
            )
            do {
                _ = try output.client("logging in").call(
                    CredentialsAPI.EditLoginCall(login: login),
                    secrets: [password]
                )
                return
            } catch let error as DaemonError where error.code == .loginRejected && attempt < Question.attempts {
                Terminal.writeError("relctl: \(PrintableText(error.message).text): try again\n")
            }
        }
    }
}
