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

    @Test("every part of a payload survives the round trip")
    func allSections() throws {
        let fixture = try VaultFixture()
        let vault = try fixture.open(try fixture.file())
        var payload = VaultPayload()
        let addition = try fixture.addition(3)
        let withEnvelope = LoginAddition(
            id: addition.id,
            login: addition.login,
            password: addition.password,
            envelope: SharedSecret(try Secret(copying: Array("envelope".utf8), in: fixture.arena)),
            created: 5
        )
        try withEnvelope.apply(vault, &payload, random: fixture.random)
        payload.settings = [VaultSetting(name: "idle", value: [1, 2, 3])]
        payload.grants = [
            VaultGrant(
                id: [UInt8](repeating: 7, count: 16),
                login: addition.id,
                service: "DataService",
                methods: "GetData\nGetSchema",
                isReadOnly: true,
                created: 1,
                expires: 2
            )
        ]
        payload.pins.append(
            PinnedEndpoint(
                endpoint: try #require(EndpointID("plain")),
                pin: .address(try #require(IPAddress(bytes: [10, 0, 0, 1])), port: 8099),
                allowsPlaintext: true,
                networkID: [UInt8](repeating: 9, count: 32)
            )
        )
        let opened = try fixture.open(try fixture.seal(payload, header: fixture.header))
        #expect(opened.payload == payload)
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

    @Test("a pin's record survives the round trip, and other bytes are rejected")
    func pinRecords() throws {
        let v4 = try #require(IPAddress(bytes: [192, 168, 1, 2]))
        let v6 = try #require(IPAddress(bytes: [0xFE, 0x80] + [UInt8](repeating: 1, count: 14), scope: 3))
        let loopback = try #require(IPAddress(bytes: [127, 0, 0, 1]))
        let pins: [Pin] = [
            VaultFixture.pin(1), .address(v4, port: 80), .address(v6, port: 65535), .loopback(loopback, port: 1),
        ]
        for pin in pins {
            let record = pin.canonicalRecord
            let parsed = try #require(record.withUnsafeBytes { Pin(vaultRecord: $0) })
            #expect(parsed.isSame(as: pin))
            for end in 0..<record.count {
                #expect(record[..<end].withUnsafeBytes { Pin(vaultRecord: $0) } == nil)
            }
            #expect((record + [0]).withUnsafeBytes { Pin(vaultRecord: $0) } == nil)
        }
        #expect(!pins[1].isSame(as: pins[2]))
        #expect([UInt8](arrayLiteral: 2, 0, 0).withUnsafeBytes { Pin(vaultRecord: $0) } == nil)
    }
}
