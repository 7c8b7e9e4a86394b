// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Asks for a secret on the terminal with the echo off.
///
/// The echo comes back however the question ends: by an answer, an error, or a signal, whose handler restores the
/// terminal before the signal takes its usual effect. One question at a time in a process.
package enum TerminalSecretReader {
    /// - Parameters:
    ///   - prompt: written to the terminal itself, not to stdout.
    ///   - terminal: for tests; the controlling terminal when nil.
    /// - Throws: `PlatformError.noTerminal`, or what `SecretLineReader.read` throws.
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
        // A prompt that cannot be written must not keep the answer from being read.
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
