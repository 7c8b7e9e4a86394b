// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Golden files")
struct GoldenTests {
    private static func open(
        _ kind: KeyProviderKind,
        _ secret: [UInt8],
        _ arena: SecretArena,
        file: String = GoldenVault.fileName
    ) throws -> OpenVault {
        try OpenVault.open(
            try VaultFile(parsing: try GoldenVault.bytes(of: file)),
            kind: kind,
            secret: SharedSecret(try Secret(copying: secret, in: arena)),
            in: arena
        )
    }

    @Test("format 1.0 opens with either slot and has the original content")
    func opens() throws {
        let arena = try SecretArena()
        let vault = try Self.open(.passphrase, Array(GoldenVault.passphrase.utf8), arena)
        let same = try Self.open(.credentialsDirectory, GoldenVault.key, arena)
        #expect(vault.payload == same.payload)
        #expect(vault.header.generation == 2)
        #expect(vault.header.slots.map(\.label) == ["passphrase of Änne", "server"])
        #expect(vault.logins.map(\.name) == ["office", "cellar"])
        #expect(vault.logins.map(\.account.user) == ["anna", "börge"])
        #expect(vault.logins.map(\.pinned.allowsPlaintext) == [false, true])
        #expect(vault.logins.map(\.lastUsedDay) == [0, 19_700])
        for (index, password) in ["open sesame", "pässwörd🔑"].enumerated() {
            let opened = try vault.password(of: vault.payload.entries[index], pin: vault.logins[index].pin)
            #expect(opened?.secret.withBytes { Array($0) } == Array(password.utf8))
        }
    }

    @Test("format 1.1 opens and has the original content: an authority's pin, and a login with extra keys")
    func opensMinor1() throws {
        let arena = try SecretArena()
        let vault = try Self.open(.credentialsDirectory, GoldenVault.key, arena, file: GoldenVault.minor1FileName)
        #expect(vault.header.version == VaultVersion(1, 1) && vault.header.generation == 3)
        let login = try #require(vault.logins.last)
        #expect(login.name == "reports" && login.pin == .authority(host: "db.example.com"))
        #expect(login.account.userKey == .user)
        #expect(
            login.account.extras == [
                LoginExtra(key: "User Access Level", value: "data"), LoginExtra(key: "Site", value: "Köln"),
            ]
        )
        let password = try vault.password(of: try #require(vault.payload.entries.last), pin: login.pin)
        #expect(password?.secret.withBytes { Array($0) } == Array("Grüße".utf8))
    }

    @Test("the record that represents an authority is that of a TLS key which no server has")
    func authorityRecord() throws {
        let pin = Pin.authority(host: "db.example.com")
        #expect(HexText.encode(pin.canonicalRecord) == "03020063610e0064622e6578616d706c652e636f6d")
        #expect(
            HexText.encode(pin.vaultRecord())
                == "0320006d5d87fdd902875d3c46b8005cbe946476029b9b5cd0843289814ddca1ba7153"
        )
    }

    @Test("the intermediate values match docs/vault-format.md")
    func intermediateValues() throws {
        let arena = try SecretArena()
        let file = try VaultFile(parsing: try GoldenVault.bytes(of: GoldenVault.fileName))
        #expect(HexText.encode(file.hash) == "17dd547fc42d7f63f09d346a01b54b0e55398fb4f9f3d1d5d10e61f0a7e17c46")
        let slot = file.header.slots[0]
        let passphrase = try Secret(copying: Array(GoldenVault.passphrase.utf8), in: arena)
        let slotSecret = try slot.identity.slotSecret(from: passphrase, in: arena)
        let slotSecretText = slotSecret.withBytes { HexText.encode($0) }
        #expect(slotSecretText == "5e32f31cc7ddf6f862ef8207f83836936f5086731d70c3c50a0842c4671a804c")
        let keys = try slot.identity.keys(from: slotSecret, storeID: file.header.storeID, in: arena)
        let wrapping = keys.wrapping.withBytes { HexText.encode($0) }
        #expect(wrapping == "5cddfd02d80dafdfdba3632d1aa5b045b9e38d9845402793b5af4c04bda1eabd")
        #expect(
            HexText.encode(keys.commitment) == "b1a27de4699d59f41ec74c99e9c8c14154a13910124a9e86b54058041c22699f"
        )
        let tls = Pin.tls(spkiSHA256: [UInt8](0x20..<0x40))
        #expect(
            HexText.encode(tls.canonicalRecord)
                == "032000202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"
        )
        let address = try #require(IPAddress(bytes: [192, 168, 7, 20]))
        #expect(HexText.encode(Pin.address(address, port: 8099).canonicalRecord) == "010400c0a807140200a31f")
        let loopback = try #require(IPAddress(bytes: [127, 0, 0, 1]))
        #expect(HexText.encode(Pin.loopback(loopback, port: 8099).canonicalRecord) == "0004007f0000010200a31f")
        let network = NetworkID.make(gateway: [2, 0, 0, 0, 0, 1], prefix: [192, 168, 7, 0], prefixLength: 24)
        #expect(HexText.encode(network) == "07a9961e444d750938b7aca19294a43690ae95967604d687365663f8bb07e78c")
    }

    @Test(
        "the independent reader agrees on the golden files, with either slot",
        arguments: [
            (GoldenVault.fileName, GoldenVault.contentName),
            (GoldenVault.minor1FileName, GoldenVault.minor1ContentName),
        ]
    )
    func independentReader(file: String, content: String) async throws {
        guard let reader = try await IndependentReader.ifAvailable() else { return }
        let path = try GoldenVault.path(of: file)
        let expected = String(decoding: try GoldenVault.bytes(of: content), as: UTF8.self)
        let byPassphrase = try await reader.read(path, "--passphrase", GoldenVault.passphrase)
        #expect(byPassphrase.status == 0)
        #expect(byPassphrase.standardOutput == expected)
        #expect(try await reader.read(path, "--key", HexText.encode(GoldenVault.key)).standardOutput == expected)
    }

    @Test("the independent reader opens a vault with its recovery code in every spelling")
    func independentReaderOnRecoveryCode() async throws {
        guard let reader = try await IndependentReader.ifAvailable() else { return }
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        try await fixture.add(1, to: store)
        let code = try fixture.recoveryCode(7)
        try await store.change(.add(.recoveryCode(code), label: "paper"))
        let path = fixture.vaultPath
        let text = code.secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let spoken = text.lowercased().replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "i")

        let byPassphrase = try await reader.read(path, "--passphrase", "open sesame")
        #expect(byPassphrase.status == 0 && byPassphrase.standardOutput.contains("\"paper\""))
        for spelling in [text, spoken] {
            let byCode = try await reader.read(path, "--recovery-code", spelling)
            #expect(byCode.status == 0 && byCode.standardOutput == byPassphrase.standardOutput, "\(byCode)")
        }
        let other = try fixture.recoveryCode(8).secret.withBytes { String(decoding: $0, as: UTF8.self) }
        #expect(try await reader.read(path, "--recovery-code", other).status == 5)
        #expect(try await reader.read(path, "--recovery-code", String(text.dropLast()) + "Z").status == 6)
    }
}
