// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

/// Reads a secret from the terminal without echo, or as one line of standard input. Arguments and environment variables
/// are not used, because other processes can read them.
struct SecretInput {
    private static let forbiddenVariable = "RELATIVITYD_PASSWORD"

    let arena: SecretArena

    /// - Throws: `Failure` if `RELATIVITYD_PASSWORD` is set, because a password in it is exposed.
    init() throws {
        guard Environment.ofProcess()[Self.forbiddenVariable] == nil else {
            throw Failure(
                .usage,
                "\(Self.forbiddenVariable) is set: passwords are not read from variables, because other processes can see them",
                hint: Hint(command: "unset \(Self.forbiddenVariable)")
            )
        }
        arena = try SecretArena(byteCount: 64 << 10)
    }

    /// Reads a passphrase, or another secret. By default it may have as many bytes as a passphrase.
    ///
    /// - Parameters:
    ///   - what: the name of the secret in the prompt, such as `passphrase`.
    ///   - isNew: asks twice on a terminal.
    ///   - mayBeEmpty: accepts an empty entry at a terminal; else it is asked for again.
    ///   - option: the option that reads it from standard input; named in an error.
    func read(
        _ what: String,
        fromStandardInput: Bool,
        isNew: Bool = false,
        mayBeEmpty: Bool = false,
        maximumBytes: Int = SecretLineReader.maximumPassphraseBytes,
        option: String = "--stdin",
        attempts: Int = 1
    ) throws -> HeldSecret {
        if fromStandardInput {
            let secret = try SecretLineReader.read(from: STDIN_FILENO, maximumBytes: maximumBytes, in: arena)
            if isNew { Self.warn(of: secret.count, what) }
            return HeldSecret(secret)
        }
        try Question.requireTerminal("use \(option) to read the \(what) as one line")
        for attempt in 1... {
            let secret = try ask("\(what): ", maximumBytes, mayBeEmpty: mayBeEmpty)
            guard isNew else { return HeldSecret(secret) }
            let again = try ask("\(what) again: ", maximumBytes, mayBeEmpty: true)
            if secret.isEqual(to: again) {
                Self.warn(of: secret.count, what)
                return HeldSecret(secret)
            }
            guard attempt < attempts else { break }
            Terminal.writeError("relctl: the two entries differ: try again\n")
        }
        throw Failure(.failed, "the two entries differ: nothing was changed")
    }

    /// Reads the password of a login, as `read` does.
    func readPassword(_ what: String = "password", fromStandardInput: Bool, isNew: Bool = false) throws -> HeldSecret {
        try read(
            what,
            fromStandardInput: fromStandardInput,
            isNew: isNew,
            mayBeEmpty: true,
            maximumBytes: SecretLineReader.maximumPasswordBytes,
            option: "--password-stdin"
        )
    }

    /// Warns if a passphrase is short. An attacker who has a copy of the vault's file can try passphrases without a
    /// limit.
    private static func warn(of byteCount: Int, _ what: String) {
        guard let warning = warning(of: byteCount, what) else { return }
        Terminal.writeError("relctl: warning: \(warning)\n")
    }

    static func warning(of byteCount: Int, _ what: String) -> String? {
        guard what.contains("passphrase"), (1..<fewestBytes).contains(byteCount) else { return nil }
        return "a passphrase of \(Counted(byteCount, "byte")) is easy to guess: use several words"
    }

    private static let fewestBytes = 8

    private func ask(_ prompt: String, _ maximumBytes: Int, mayBeEmpty: Bool) throws -> Secret {
        for attempt in 1... {
            let secret = try TerminalSecretReader.read(prompt: prompt, maximumBytes: maximumBytes, in: arena)
            if mayBeEmpty || secret.count > 0 { return secret }
            guard attempt < Question.attempts else { break }
            Terminal.writeError("relctl: the entry is empty: try again\n")
        }
        throw PlatformError.secretMissing
    }
}

/// A class that holds a secret, so that it can be an element of an array. A `Secret` is noncopyable.
final class HeldSecret {
    let secret: Secret

    init(_ secret: consuming Secret) {
        self.secret = secret
    }
}

extension DaemonClient {
    /// Calls a method with secrets, in the order that the method expects. Without secrets and chunks, this is a plain
    /// call.
    ///
    /// Create the client after the last prompt: the daemon closes a connection that stays idle while the user types.
    ///
    /// - Parameter pieces: chunks of a file, sent after the secrets.
    func call<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [HeldSecret],
        pieces: [UnsafeRawBufferPointer] = []
    ) throws -> Call.Reply {
        guard !secrets.isEmpty || !pieces.isEmpty else { return try self.call(call, within: Self.slow) }
        return try withBytes(of: secrets[...], after: []) { try self.call(call, secrets: $0 + pieces) }
    }

    private func withBytes<R>(
        of secrets: ArraySlice<HeldSecret>,
        after pointers: [UnsafeRawBufferPointer],
        _ body: ([UnsafeRawBufferPointer]) throws -> R
    ) throws -> R {
        guard let first = secrets.first else { return try body(pointers) }
        return try first.secret.withBytes { try withBytes(of: secrets.dropFirst(), after: pointers + [$0], body) }
    }
}

/// Creates a recovery code and shows it once on the terminal, or writes it to a file. The daemon never sends one.
struct RecoveryCodeInput {
    private static let askedGroups = 2
    private static let attempts = 3

    let arena: SecretArena

    /// Shows a new code, and asks for two of its groups, so that the user does not overlook it.
    func show() throws -> HeldSecret {
        let code = try make()
        let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw PlatformError.noTerminal }
        defer { close(terminal) }
        Self.write(
            "Recovery code, shown only once. Write it down, and keep it away from this machine:\n\n    ",
            terminal
        )
        code.secret.withBytes { _ = Glibc.write(terminal, $0.baseAddress, $0.count) }
        Self.write("\n\n", terminal)
        for group in (0..<RecoveryCode.groupCount).shuffled().prefix(Self.askedGroups).sorted() {
            try confirm(group, of: code.secret)
        }
        return code
    }

    /// Writes a new code to a new file.
    func write(to path: String) throws -> HeldSecret {
        let code = try make()
        do {
            try ResultFile.create(path, mode: 0o600) { file in
                try code.secret.withBytes { try file.write($0) }
                try file.write("\n")
                try file.synchronize()
            }
        } catch let error as PlatformError {
            throw Failure(.failed, "the recovery code cannot be written: \(error)")
        }
        return code
    }

    /// Makes the call that adds the recovery code to the vault. If the daemon refuses, the file is removed, because its
    /// code opens nothing. After any other failure the vault may have the code, and the file stays.
    ///
    /// - Parameter path: the file with the code; nil if there is none.
    static func keeping<Reply>(_ path: String?, _ call: () throws -> Reply) throws -> Reply {
        guard let path else { return try call() }
        do {
            return try call()
        } catch let error as DaemonError where error.code != .vaultLocked {
            if case .file? = try? ResultPlace(path) { unlink(path) }
            throw error
        } catch {
            // Includes a vault that was locked while it was created.
            Terminal.writeError(
                "relctl: warning: '\(Printable(path))' may contain a code of the vault: see its slots with 'relctl vault status'\n"
            )
            throw error
        }
    }

    private func make() throws -> HeldSecret {
        let code = try Secret(randomBytes: RecoveryCode.byteCount, in: arena)
        return HeldSecret(try RecoveryCode.text(of: code, in: arena))
    }

    private func confirm(_ group: Int, of code: borrowing Secret) throws {
        for _ in 0..<Self.attempts {
            let typed = try TerminalSecretReader.read(
                prompt: "group \(group + 1) of the code: ",
                maximumBytes: RecoveryCode.maximumTextBytes,
                in: arena
            )
            if RecoveryCode.group(group, of: code, is: typed, in: arena) { return }
            Terminal.writeError("wrong group: try again\n")
        }
        throw Failure(
            .failed,
            "the code was not confirmed: nothing was changed, and the code is void",
            hint: .helpOfVerb
        )
    }

    private static func write(_ text: String, _ descriptor: Int32) {
        // An error is ignored: reading from the same terminal will fail too.
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
