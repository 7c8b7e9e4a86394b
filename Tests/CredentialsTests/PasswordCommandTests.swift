// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Credentials

@Suite("Password commands")
struct PasswordCommandTests {
    private static func login(_ byte: UInt8) throws -> LoginID {
        try #require(LoginID(bytes: [UInt8](repeating: byte, count: 16)))
    }

    @Test("a command is read as it was written, and other bytes are refused")
    func encoding() throws {
        for words in [["pass"], ["/opt/x y", "", "é\n", "-a"], Array(repeating: "a", count: 32)] {
            let command = try #require(SecretCommand(words))
            #expect(command.encoded.withUnsafeBytes { SecretCommand(parsing: $0) } == command)
        }
        let refused: [[UInt8]] = [
            [], [1], [1, 0], [2, 0, 0x61], [0, 0], [1, 0, 0x61, 0], [1, 0, 0xFF], [1, 0, 0], [3, 0, 0x61, 0x2F, 0x62],
            [0xFF, 0xFF, 0x61], Array(repeatElement([1, 0, 0x61], count: 33).joined()),
            [0xFF, 0x0F] + [UInt8](repeating: 0x61, count: 4095),
        ]
        for bytes in refused {
            #expect(bytes.withUnsafeBytes { SecretCommand(parsing: $0) } == nil, "\(bytes.prefix(8))")
        }
        let longest = [0xFE, 0x0F] + [UInt8](repeating: 0x61, count: 4094)
        #expect(longest.withUnsafeBytes { SecretCommand(parsing: $0) }?.arguments[0].utf8.count == 4094)
    }

    @Test("a failed command waits for five seconds, another one of the same login or of another login does not")
    func pause() throws {
        let (first, second) = (try Self.login(1), try Self.login(2))
        let command = try #require(SecretCommand(["pass", "show", "a"]))
        let corrected = try #require(SecretCommand(["pass", "show", "b"]))
        let start = ContinuousClock.now
        var failures = CommandFailures()
        #expect(failures.recent(command, of: first, at: start) == nil)
        failures.note(.empty, of: command, first, at: start)
        #expect(failures.recent(command, of: first, at: start) == .empty)
        #expect(failures.recent(command, of: first, at: start + .milliseconds(4_999)) == .empty)
        #expect(failures.recent(corrected, of: first, at: start) == nil)
        #expect(failures.recent(command, of: second, at: start) == nil)
        #expect(failures.recent(command, of: first, at: start + .seconds(5)) == nil)
        // A later failure of another login does not end the time of the first.
        failures.note(.late, of: command, second, at: start + .seconds(3))
        #expect(failures.recent(command, of: first, at: start + .seconds(4)) == .empty)
        #expect(failures.recent(command, of: second, at: start + .seconds(7)) == .late)
    }
}
