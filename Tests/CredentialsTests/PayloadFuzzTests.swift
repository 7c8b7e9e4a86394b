// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Payload parser")
struct PayloadFuzzTests {
    private static func plain(_ fixture: VaultFixture, _ payload: VaultPayload) throws -> [UInt8] {
        try PayloadCodec.withEncoded(payload, fixture.keys) { plain, _ in Array(plain) }
    }

    @Test(
        "accepted bytes are encoded the same, whatever the damage",
        arguments: [VaultVersion.oldest, VaultVersion.newest]
    )
    func mutations(_ version: VaultVersion) throws {
        let fixture = try VaultFixture()
        var payload = try fixture.open(try fixture.file(loginCount: 2)).payload
        if version == .newest {
            let command = try #require(SecretCommand(["pass", "show", "office"]))
            payload.entries[0].password = .command(PasswordCommand(command, isAgreed: true))
        }
        let original = try Self.plain(fixture, payload)
        let used = (original.lastIndex { $0 != 0 } ?? 0) + 1
        var random = SeededRandom(seed: 4711)
        var accepted = 0
        for _ in 0..<20_000 {
            var changed = original
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let offset = Int.random(in: 0..<used, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed[offset] = UInt8.random(in: 0...255, using: &random)
                case 1: changed[offset] ^= 1 << Int.random(in: 0..<8, using: &random)
                case 2: changed[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                default:
                    changed.remove(at: offset)
                    changed.append(0)
                }
            }
            let decoded = changed.withUnsafeBytes { bytes in
                Result { () throws(CredentialError) in
                    try PayloadCodec.decode(bytes, version: version, in: fixture.arena)
                }
            }
            guard case .success(let (payload, keys)) = decoded else { continue }
            accepted += 1
            #expect(
                try PayloadCodec.withEncoded(payload, keys) { plain, _ in Array(plain) } == changed
            )
        }
        // The parser cannot detect changes inside the seal of a password or inside a key.
        #expect(accepted > 0)
    }

    @Test("lengths beyond the end of the input are refused at every position")
    func lengths() throws {
        let fixture = try VaultFixture()
        let payload = try fixture.open(try fixture.file(loginCount: 1)).payload
        let original = try Self.plain(fixture, payload)
        let used = (original.lastIndex { $0 != 0 } ?? 0) + 1
        for offset in 0..<(used - 4) {
            var changed = original
            changed.replaceSubrange(offset..<(offset + 4), with: [0xFF, 0xFF, 0xFF, 0x7F])
            _ = changed.withUnsafeBytes { bytes in
                Result { () throws(CredentialError) in
                    try PayloadCodec.decode(bytes, version: .oldest, in: fixture.arena)
                }
            }
        }
        for count in 0..<used {
            #expect(throws: CredentialError.self) {
                try original[..<count].withUnsafeBytes { bytes in
                    _ = try PayloadCodec.decode(bytes, version: .oldest, in: fixture.arena)
                }
            }
        }
    }

    @Test("a payload holds at most 1024 logins")
    func full() throws {
        let fixture = try VaultFixture()
        let vault = try fixture.open(try fixture.file(loginCount: 1))
        var payload = vault.payload
        let entry = payload.entries[0]
        for index in 1..<1024 {
            let bytes = [UInt8(index >> 8), UInt8(index & 0xFF)] + [UInt8](repeating: 0xAB, count: 14)
            payload.entries.append(
                VaultEntry(
                    id: try #require(LoginID(bytes: bytes)),
                    name: "another \(index)",
                    account: entry.account,
                    endpoint: entry.endpoint,
                    revision: 1,
                    created: 0,
                    lastUsedDay: 0,
                    password: entry.password
                )
            )
        }
        let opened = try fixture.open(try fixture.seal(payload, header: fixture.header))
        #expect(opened.payload == payload)
        #expect(throws: CredentialError.full(.logins, limit: 1024)) {
            try fixture.add(9, to: &payload, of: vault)
        }
    }
}
