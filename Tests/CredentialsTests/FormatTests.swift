// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import Testing

@testable import Credentials

@Suite("Vault format")
struct FormatTests {
    @Test("sealed content opens unchanged", arguments: [0, 1, 7, 40])
    func roundTrip(loginCount: Int) throws {
        let fixture = try VaultFixture()
        let vault = try fixture.open(try fixture.file(loginCount: loginCount))
        #expect(vault.payload.entries.count == loginCount)
        #expect(vault.keys.isSame(as: fixture.keys))
        for (index, entry) in vault.payload.entries.enumerated() {
            #expect(entry.name == "login \(index)")
            let password = try vault.password(of: entry, pin: VaultFixture.pin(index))
            #expect(password.withBytes { Array($0) } == Array("password \(index)".utf8))
        }
    }

    @Test("the same content and the same random bytes yield the same file")
    func canonical() throws {
        #expect(try VaultFixture().file(loginCount: 3) == VaultFixture().file(loginCount: 3))
        #expect(try VaultFixture().file(loginCount: 3) != VaultFixture(seed: 99).file(loginCount: 3))
    }

    @Test("the size of a file follows from its logins, in blocks of 4 KiB")
    func padding() throws {
        let fixture = try VaultFixture()
        for count in [0, 1, 20] {
            let file = try VaultFile(parsing: try fixture.file(loginCount: count))
            #expect(file.header.payloadByteCount.isMultiple(of: 4096))
            #expect(file.bytes.count == 144 + 256 + 4 + 32 + file.header.payloadByteCount + 16)
        }
        #expect(try VaultFile(parsing: try fixture.file(loginCount: 1)).header.payloadByteCount == 4096)
    }

    @Test("the file contains no readable part of a password, a name or a key")
    func nothingReadable() throws {
        let fixture = try VaultFixture()
        let file = String(decoding: try fixture.file(loginCount: 5), as: Unicode.ASCII.self)
        for text in ["password", "login", "endpoint", "user", "schema"] { #expect(!file.contains(text)) }
    }

    @Test("slots of every kind survive the round trip byte for byte", arguments: KeyProviderKind.allCases)
    func slots(kind: KeyProviderKind) throws {
        let fixture = try VaultFixture(kind: kind)
        let bytes = fixture.slot.encoded
        #expect(bytes.count == 256)
        let parsed = try #require(bytes.withUnsafeBytes { KeySlot(parsing: $0) })
        #expect(parsed == fixture.slot)
        #expect(try fixture.open(try fixture.file()).header.slots == [fixture.slot])
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

    @Test("up to eight slots open the vault, each with its own secret")
    func manySlots() throws {
        let fixture = try VaultFixture()
        var slots: [KeySlot] = []
        var secrets: [SharedSecret] = []
        for index in 0..<8 {
            let secret = SharedSecret(
                try Secret(copying: [UInt8](repeating: UInt8(index), count: 32), in: fixture.arena)
            )
            let identity = try SlotIdentity.fresh(.keyFile, cost: nil, from: fixture.random)
            slots.append(
                try fixture.schedule.wrap(
                    fixture.dataKey.secret,
                    for: identity,
                    slotSecret: secret.secret,
                    storeID: fixture.storeID,
                    label: "\(index)",
                    created: 0
                )
            )
            secrets.append(secret)
        }
        var header = fixture.header
        header.slots = slots
        let file = try VaultFile(parsing: try fixture.file(header: header))
        for secret in secrets {
            let vault = try OpenVault.open(file, kind: .keyFile, secret: secret, schedule: fixture.schedule)
            #expect(vault.header.slots.count == 8)
        }
        #expect(throws: CredentialError.wrongKey) {
            try OpenVault.open(file, kind: .keyFile, secret: fixture.slotSecret, schedule: fixture.schedule)
        }
        #expect(throws: CredentialError.self) {
            try OpenVault.open(file, kind: .passphrase, secret: fixture.slotSecret, schedule: fixture.schedule)
        }
    }
}
