// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// Asks for a secret: on the terminal without echo, or one line of standard input. Never from an argument or a
/// variable, which other processes can read.
struct SecretInput {
    private static let forbiddenVariable = "RELATIVITYD_PASSWORD"

    let arena: SecretArena

    /// - Throws: `Failure` when someone put a password where it leaks.
    init() throws {
        guard Environment.ofProcess()[Self.forbiddenVariable] == nil else {
            throw Failure(
                .usage,
                "\(Self.forbiddenVariable) is set: other processes can read a variable, so no password is taken from one",
                hint: "unset it, and type the secret, or give it on standard input"
            )
        }
        arena = try SecretArena(byteCount: 64 << 10)
    }

    /// - Parameters:
    ///   - what: how the prompt calls it, for example `passphrase`.
    ///   - isNew: asks twice on a terminal.
    ///   - option: the one that takes it from standard input.
    func read(
        _ what: String,
        fromStandardInput: Bool,
        isNew: Bool,
        maximumBytes: Int,
        option: String = "--stdin"
    ) throws -> Secret {
        if fromStandardInput {
            return try SecretLineReader.read(from: STDIN_FILENO, maximumBytes: maximumBytes, in: arena)
        }
        guard Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                "standard input is no terminal to ask for the \(what) on",
                hint: "give it as one line of standard input with \(option)"
            )
        }
        let secret = try ask("\(what): ", maximumBytes)
        if isNew {
            let again = try ask("\(what) again: ", maximumBytes)
            guard secret.isEqual(to: again) else {
                throw Failure(.failed, "the two are not the same: nothing was changed", hint: "type it twice the same")
            }
        }
        return secret
    }

    private func ask(_ prompt: String, _ maximumBytes: Int) throws -> Secret {
        try TerminalSecretReader.read(prompt: prompt, maximumBytes: maximumBytes, in: arena)
    }
}
