// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform
import Varlink

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

/// A secret that stands in a list, which only classes can while a `Secret` has one owner.
final class HeldSecret {
    let secret: Secret

    init(_ secret: consuming Secret) {
        self.secret = secret
    }
}

extension DaemonClient {
    /// Calls a method that takes these secrets, in its order; without any it is a plain call.
    ///
    /// To be called on a client made after the last question: the daemon closes a connection that waits for a person.
    ///
    /// - Parameter pieces: of a file, which follow the secrets.
    func call<Call: VarlinkMethodCall>(
        _ call: Call,
        secrets: [HeldSecret],
        pieces: [UnsafeRawBufferPointer] = []
    ) throws -> Call.Reply {
        guard !secrets.isEmpty || !pieces.isEmpty else { return try self.call(call, within: Self.slow) }
        return try withBytes(of: secrets[...], behind: []) { try self.call(call, secrets: $0 + pieces) }
    }

    private func withBytes<R>(
        of secrets: ArraySlice<HeldSecret>,
        behind pointers: [UnsafeRawBufferPointer],
        _ body: ([UnsafeRawBufferPointer]) throws -> R
    ) throws -> R {
        guard let first = secrets.first else { return try body(pointers) }
        return try first.secret.withBytes { try withBytes(of: secrets.dropFirst(), behind: pointers + [$0], body) }
    }
}

/// Makes a recovery code and hands it to the person: on the terminal, once, or in a file. The daemon never sends one.
struct RecoveryCodeInput {
    private static let askedGroups = 2
    private static let attempts = 3

    let arena: SecretArena

    /// Shows a new code, and asks for parts of it back so that it is not just scrolled past.
    func show() throws -> HeldSecret {
        let code = try make()
        let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { throw PlatformError.noTerminal }
        defer { close(terminal) }
        Self.write(
            "Recovery code, shown this once. Write it down, and keep it away from this machine:\n\n    ",
            terminal
        )
        code.secret.withBytes { _ = Glibc.write(terminal, $0.baseAddress, $0.count) }
        Self.write("\n\n", terminal)
        for group in (0..<RecoveryCode.groupCount).shuffled().prefix(Self.askedGroups).sorted() {
            try confirm(group, of: code.secret)
        }
        return code
    }

    /// Writes a new code into a file that was not there.
    func write(to path: String) throws -> HeldSecret {
        let code = try make()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(
                .failed,
                "the recovery code cannot be written to '\(Printable(path))': \(String(cString: strerror(errno)))"
            )
        }
        defer { close(descriptor) }
        let isWritten = code.secret.withBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard isWritten, Glibc.write(descriptor, "\n", 1) == 1, fsync(descriptor) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(path)
            throw Failure(
                .failed,
                "the recovery code cannot be written to '\(Printable(path))': \(reason)"
            )
        }
        return code
    }

    /// Makes the call that gives a code its meaning. The file of one that the daemon has refused goes, since a code that
    /// opens nothing would mislead; after any other failure the vault may have it.
    ///
    /// - Parameter path: the file with the code; nil if there is none.
    static func keeping<Reply>(_ path: String?, _ call: () throws -> Reply) throws -> Reply {
        guard let path else { return try call() }
        do {
            return try call()
        } catch let error as DaemonError where error.code != .vaultLocked {
            unlink(path)
            throw error
        } catch {
            // Also of a vault that was locked while it was made.
            Terminal.writeError(
                "relctl: warning: '\(Printable(path))' may hold a code of the vault: 'relctl vault status' tells its slots\n"
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
            Terminal.writeError("that is not it\n")
        }
        throw Failure(
            .failed,
            "that is not what was shown: nothing was made, and the code is void",
            hint: .helpOfVerb
        )
    }

    private static func write(_ text: String, _ descriptor: Int32) {
        // A terminal that cannot be written to cannot be asked either, which is told then.
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
