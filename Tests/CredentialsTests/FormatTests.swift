// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Credentials

@Suite("Vault format")
struct FormatTests {
    @Test("the file contains no readable part of a password, a name or a key")
    func nothingReadable() throws {
        let fixture = try VaultFixture()
        let file = String(decoding: try fixture.file(loginCount: 5), as: Unicode.ASCII.self)
        for text in ["password", "login", "endpoint", "user", "schema"] { #expect(!file.contains(text)) }
    }

    @Test("a label is cut to 64 bytes at a character boundary and loses control characters")
    func label() throws {
        let fixture = try VaultFixture()
        func slot(_ label: String) -> KeySlot {
            KeySlot(
                fixture.slot.identity,
                commitment: fixture.slot.commitment,
                wrappedKey: fixture.slot.wrappedKey,
                label: label,
                created: 0
            )
        }
        #expect(slot("a\u{1B}[31m\nb\u{9B}").label == "a[31mb")
        #expect(slot(String(repeating: "é", count: 40)).label == String(repeating: "é", count: 32))
        #expect(slot("x" + String(repeating: "é", count: 40)).label.utf8.count == 63)
    }
}
