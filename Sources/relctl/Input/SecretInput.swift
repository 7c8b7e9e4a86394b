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
                hint: Hint(command: "unset \(Self.forbiddenVariable)")
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
            let secret = try SecretLineReader.read(from: STDIN_FILENO, maximumBytes: maximumBytes, in: arena)
            if isNew { Self.warn(of: secret.count, what) }
            return secret
        }
        guard Terminal.inputIsTerminal else {
            throw Failure(
                .usage,
                "standard input is no terminal to ask for the \(what) on: \(option) reads it as one line"
            )
        }
        guard !isNew else { return try readNew(what, maximumBytes: maximumBytes, attempts: 1) }
        return try ask("\(what): ", maximumBytes)
    }

    /// Asks twice on the terminal for a secret that is made up now.
    ///
    /// - Parameter attempts: how often two that differ are asked for again.
    func readNew(_ what: String, maximumBytes: Int, attempts: Int) throws -> Secret {
        for attempt in 1... {
            let secret = try ask("\(what): ", maximumBytes)
            let again = try ask("\(what) again: ", maximumBytes)
            if secret.isEqual(to: again) {
                Self.warn(of: secret.count, what)
                return secret
            }
            guard attempt < attempts else { break }
            Terminal.writeError("relctl: the two are not the same: try again\n")
        }
        throw Failure(.failed, "the two are not the same: nothing was changed")
    }

    /// Of what opens a vault: with the file alone, anybody can try as many as a computer does.
    private static func warn(of byteCount: Int, _ what: String) {
        guard let warning = warning(of: byteCount, what) else { return }
        Terminal.writeError("relctl: warning: \(warning)\n")
    }

    static func warning(of byteCount: Int, _ what: String) -> String? {
        guard what.contains("passphrase"), (1..<fewestBytes).contains(byteCount) else { return nil }
        return "a passphrase of \(Counted(byteCount, "byte")) is soon found by trying: take several words"
    }

    private static let fewestBytes = 8

    private func ask(_ prompt: String, _ maximumBytes: Int) throws -> Secret {
        try TerminalSecretReader.read(prompt: prompt, maximumBytes: maximumBytes, in: arena)
    }
}
