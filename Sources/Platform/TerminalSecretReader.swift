// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

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
