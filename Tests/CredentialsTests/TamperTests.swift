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

    @Test(
        "a file of a later minor version is read but not written",
        arguments: [VaultVersion(1, 3), VaultVersion(2, 1)]
    )
    func laterMinor(_ version: VaultVersion) throws {
        let fixture = try VaultFixture()
        let vault = try fixture.open(try fixture.file(loginCount: 1))
        var header = fixture.header
        header.version = version
        #expect(throws: CredentialError.tooNew(version)) {
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
        bytes.replaceSubrange(108..<140, with: SHA256.digest(of: Array(bytes[..<108] + bytes[140..<end])))
        return bytes
    }
}
