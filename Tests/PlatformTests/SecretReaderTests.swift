// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("Reading secrets")
struct SecretReaderTests {
    private static func read(_ input: [UInt8], maximumBytes: Int = 16) throws -> [UInt8] {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        #expect(write(ends[1], input, input.count) == input.count)
        close(ends[1])
        let arena = try SecretArena(byteCount: 4096)
        let secret = try SecretLineReader.read(from: ends[0], maximumBytes: maximumBytes, in: arena)
        return secret.withBytes { Array($0) }
    }

    @Test(
        "read removes one line feed and nothing else",
        arguments: [
            ("word\n", "word"), ("word", "word"), ("word\r\n", "word\r"), (" two words \n", " two words "),
            ("first\nsecond\n", "first"), ("\n", ""), ("0123456789abcdef\n", "0123456789abcdef"),
        ]
    )
    func line(input: String, secret: String) throws {
        #expect(try Self.read(Array(input.utf8)) == Array(secret.utf8))
    }

    @Test("read rejects long secrets, NUL bytes and empty input")
    func refused() {
        #expect(throws: PlatformError.secretTooLong(maximumBytes: 16)) {
            try Self.read(Array("0123456789abcdefg\n".utf8))
        }
        #expect(throws: PlatformError.secretTooLong(maximumBytes: 16)) {
            try Self.read(Array("0123456789abcdefg".utf8))
        }
        #expect(throws: PlatformError.secretHasNUL) { try Self.read([65, 0, 66, 10]) }
        #expect(throws: PlatformError.secretMissing) { try Self.read([]) }
    }

    @Test("read leaves the input after the line in the descriptor")
    func rest() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(write(ends[1], Array("a\nb\n".utf8), 4) == 4)
        let arena = try SecretArena(byteCount: 4096)
        for expected in ["a", "b"] {
            let secret = try SecretLineReader.read(from: ends[0], maximumBytes: 8, in: arena)
            #expect(secret.withBytes { Array($0) } == Array(expected.utf8))
        }
    }

    @Test("the terminal does not echo the secret, and echoes again afterwards")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        let arena = try SecretArena(byteCount: 4096)
        let typist = try terminal.typeWhenAsked("sesame\n", prompt: "Passphrase: ")
        let secret = try TerminalSecretReader.read(
            prompt: "Passphrase: ",
            maximumBytes: 64,
            in: arena,
            terminal: terminal.path
        )
        let shown = typist.shown()
        #expect(secret.withBytes { Array($0) } == Array("sesame".utf8))
        #expect(shown.hasPrefix("Passphrase: "))
        #expect(!shown.contains("sesame"))
        #expect(terminal.echoes)
    }

    @Test("TerminalSecretReader rejects a file that is not a terminal")
    func noTerminal() throws {
        let arena = try SecretArena(byteCount: 4096)
        for path in ["/dev/null", "/nowhere/tty"] {
            #expect(throws: PlatformError.noTerminal) {
                _ = try TerminalSecretReader.read(prompt: "", maximumBytes: 8, in: arena, terminal: path)
            }
        }
    }
}
