// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Tampering")
struct TamperTests {
    private static func outcome(_ fixture: VaultFixture, _ bytes: [UInt8]) -> CredentialError? {
        do throws(CredentialError) {
            _ = try fixture.open(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("a file that is too long is damaged, not a wrong key")
    func tooLong() throws {
        let fixture = try VaultFixture()
        let bytes = try fixture.file(loginCount: 1)
        #expect(Self.outcome(fixture, bytes + [0]) == .damaged(.size))
        #expect(Self.outcome(fixture, bytes + bytes) == .damaged(.size))
    }

    @Test("wrong key, newer version, damage and other types of file are distinguished")
    func classes() throws {
        let fixture = try VaultFixture()
        let bytes = try fixture.file(loginCount: 1)
        let file = try VaultFile(parsing: bytes)
        let other = SharedSecret(try Secret(copying: [UInt8](repeating: 1, count: 32), in: fixture.arena))
        #expect(throws: CredentialError.wrongKey) {
            try OpenVault.open(file, kind: .credentialsDirectory, secret: other, schedule: fixture.schedule)
        }
        var newer = bytes
        newer[8] = 2
        #expect(Self.outcome(fixture, newer) == .versionTooNew(major: 2, minor: 0))
        #expect(Self.outcome(fixture, Array("SQLite format 3\0".utf8)) == .notAVault)
        var text = bytes
        text.remove(at: 4)
        #expect(Self.outcome(fixture, text) == .notAVault)
    }

    @Test("slot edits under a repaired digest are detected by the slot's own keys or the header tag")
    func slotEdits() throws {
        let fixture = try VaultFixture()
        let bytes = try fixture.file()
        func edited(_ offset: Int) throws -> [UInt8] {
            var changed = bytes
            changed[144 + offset] ^= 1
            return try Self.repairDigest(changed)
        }
        for offset in 8..<88 { #expect(Self.outcome(fixture, try edited(offset)) == .wrongKey, "slot byte \(offset)") }
        for offset in 88..<136 {
            #expect(Self.outcome(fixture, try edited(offset)) == .damaged(.slotKey), "slot byte \(offset)")
        }
        // Label and date are not covered by the slot's keys, but by the header tag.
        for offset in [136, 200, 207] { #expect(Self.outcome(fixture, try edited(offset)) == .damaged(.headerTag)) }
        for offset in [0, 1, 2, 3, 4, 5, 6, 7, 208, 255] {
            #expect(Self.outcome(fixture, try edited(offset)) == .damaged(.slot(0)), "slot byte \(offset)")
        }
        for offset in 20..<36 {
            var changed = bytes
            changed[offset] ^= 1
            #expect(Self.outcome(fixture, try Self.repairDigest(changed)) == .wrongKey, "store id byte \(offset)")
        }
        for offset in 36..<108 {
            var changed = bytes
            changed[offset] ^= 0x10
            #expect(Self.outcome(fixture, try Self.repairDigest(changed)) == .damaged(.headerTag), "byte \(offset)")
        }
    }

    @Test("scrypt costs out of bounds are refused before any work")
    func costs() throws {
        let fixture = try VaultFixture(kind: .passphrase)
        let bytes = try fixture.file()
        var refused = 0
        for log2N in UInt8.min...UInt8.max where !ScryptCost.accepted.contains(log2N) {
            for (r, p) in [(UInt8(8), UInt8(1))] {
                var changed = bytes
                changed[146] = log2N
                changed[147] = r
                changed[148] = p
                let repaired = try Self.repairDigest(changed)
                #expect(throws: CredentialError.damaged(.slot(0))) { try VaultFile(parsing: repaired) }
                refused += 1
            }
        }
        for (r, p): (UInt8, UInt8) in [(0, 1), (1, 1), (7, 1), (9, 1), (255, 1), (8, 0), (8, 2), (8, 255)] {
            var changed = bytes
            changed[147] = r
            changed[148] = p
            let repaired = try Self.repairDigest(changed)
            #expect(throws: CredentialError.damaged(.slot(0))) { try VaultFile(parsing: repaired) }
        }
        #expect(refused == 250)
        #expect(ScryptCost(log2N: 14) == nil)
        #expect(ScryptCost(log2N: 21) == nil)
    }

    @Test("a file of a later minor version is read but not written")
    func laterMinor() throws {
        let fixture = try VaultFixture()
        let vault = try fixture.open(try fixture.file(loginCount: 1))
        var header = fixture.header
        header.minor = VaultHeader.newestMinor + 1
        #expect(throws: CredentialError.versionTooNew(major: 1, minor: Int(header.minor))) {
            try fixture.seal(vault.payload, header: header)
        }
    }

    @Test("random damage never crashes the reader and is never accepted, also under a repaired digest")
    func mutations() throws {
        let fixture = try VaultFixture()
        let bytes = try fixture.file(loginCount: 2)
        var random = SeededRandom(seed: 20)
        for round in 0..<20_000 {
            var changed = bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let limit = round.isMultiple(of: 2) ? 436 : changed.count
                let offset = Int.random(in: 0..<min(limit, changed.count), using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: changed[offset] = UInt8.random(in: 0...255, using: &random)
                case 1: changed[offset] ^= 1 << Int.random(in: 0..<8, using: &random)
                case 2: changed.remove(at: offset)
                case 3: changed.insert(UInt8.random(in: 0...255, using: &random), at: offset)
                default: changed.removeSubrange(offset...)
                }
                if changed.isEmpty { break }
            }
            if round.isMultiple(of: 3), changed.count >= 436 { changed = try Self.repairDigest(changed) }
            guard changed != bytes else { continue }
            #expect(Self.outcome(fixture, changed) != nil, "round \(round)")
        }
    }

    /// Repairs the digest of a header with one slot, as an attacker without a key can.
    static func repairDigest(_ bytes: [UInt8]) throws -> [UInt8] {
        let end = 144 + 256 + 4
        var bytes = bytes
        bytes.replaceSubrange(108..<140, with: try SHA256.digest(of: Array(bytes[..<108] + bytes[140..<end])))
        return bytes
    }
}
