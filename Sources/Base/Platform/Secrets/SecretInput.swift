// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A file with a secret that the administrator installed: owned by this user or root, and closed to others.
package enum SecretFile {
    /// Opens the file while `body` runs.
    ///
    /// - Throws: `PlatformError.unsafePermissions`; `.system` if it cannot be opened; the error of `body`.
    package static func withDescriptor<R: ~Copyable>(
        of path: String,
        _ body: (Int32) throws(PlatformError) -> R
    ) throws(PlatformError) -> R {
        // O_NONBLOCK: opening a FIFO must not block before it is rejected.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        defer { close(descriptor) }
        try check(descriptor, path)
        return try body(descriptor)
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(PlatformError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(path: path, reason: "is not a regular file", fix: "ls -l \(ShellWord.quote(path))")
        }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw .unsafePermissions(path: path, reason: "belongs to user \(facts.st_uid)", fix: Repair.own(path))
        }
        // systemd grants this user access by an ACL if it can. The mask of the ACL shows as the group's read
        // permission.
        guard facts.st_mode & 0o037 == 0 else {
            throw .unsafePermissions(path: path, reason: "is open to other users", fix: Repair.close(path, mode: "400"))
        }
    }
}

/// Reads one line from a descriptor directly into the arena, for `--passphrase-stdin` and `--password-fd`.
package enum SecretLineReader {
    /// The limit for passphrases of a vault.
    package static let maximumPassphraseBytes = 1024
    /// The limit for passwords of logins: that of a field of a login string, which sends them.
    package static let maximumPasswordBytes = 4_096

    /// Reads up to the first line feed or the end of the input. Only that line feed is removed.
    ///
    /// - Throws: `PlatformError.secretTooLong`, `.secretHasNUL`, or `.secretMissing` if the input ends before any byte.
    package static func read(
        from descriptor: Int32,
        maximumBytes: Int,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        try Secret(capacity: maximumBytes + 1, in: arena) { room throws(PlatformError) in
            var filled = 0
            // One byte at a time, because the input after the line belongs to the next reader of the descriptor.
            while filled < room.count {
                let count = Glibc.read(
                    descriptor,
                    UnsafeMutableRawBufferPointer(rebasing: room[filled...]).baseAddress,
                    1
                )
                if count < 0 {
                    if errno == EINTR { continue }
                    throw .system(call: "read", subject: "the secret", errno: errno)
                }
                if count == 0 {
                    guard filled > 0 else { throw .secretMissing }
                    return filled
                }
                switch room[filled] {
                case 0: throw .secretHasNUL
                case UInt8(ascii: "\n"):
                    room[filled] = 0
                    return filled
                default: filled += 1
                }
            }
            throw .secretTooLong(maximumBytes: maximumBytes)
        }
    }
}

/// Prompts for a secret on the terminal, with echo off.
///
/// Echo is restored however the prompt ends: by an answer, by an error, or by a signal, whose handler restores the
/// terminal before the signal takes its usual effect. A process can have one prompt at a time.
package enum TerminalSecretReader {
    /// - Parameters:
    ///   - prompt: written to the terminal, not to stdout.
    ///   - terminal: the path of a terminal, for tests. The default is the controlling terminal.
    /// - Throws: `PlatformError.noTerminal`, or the errors of `SecretLineReader.read`.
    package static func read(
        prompt: String,
        maximumBytes: Int,
        in arena: SecretArena,
        terminal: String = "/dev/tty"
    ) throws(PlatformError) -> Secret {
        let descriptor = open(terminal, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .noTerminal }
        defer { close(descriptor) }
        let hushed = relx_terminal_hush(descriptor)
        guard hushed == 0 else {
            if hushed == -ENOTTY { throw .noTerminal }
            throw .system(call: "tcsetattr", subject: terminal, errno: -hushed)
        }
        defer {
            relx_terminal_restore()
            write("\n", to: descriptor)
        }
        write(prompt, to: descriptor)
        return try SecretLineReader.read(from: descriptor, maximumBytes: maximumBytes, in: arena)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        // If the prompt cannot be written, the answer is still read.
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
