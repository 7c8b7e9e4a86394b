// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

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
