// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import Testing

@testable import Credentials

@Suite("Sealed secrets")
struct SealedSecretTests {
    private static func binding(_ fixture: VaultFixture) -> SealedSecret.Binding {
        SealedSecret.Binding(
            storeID: fixture.storeID,
            entryID: [UInt8](repeating: 1, count: 16),
            field: .password,
            revision: 3,
            pin: VaultFixture.pin(1)
        )
    }

    @Test("a secret of any length up to the limit opens", arguments: [0, 1, 253, 254, 255, 256, 510, 511, 16384])
    func lengths(count: Int) throws {
        let fixture = try VaultFixture()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 1) }
        let sealed = try SealedSecret(
            sealing: try Secret(copying: bytes, in: fixture.arena),
            Self.binding(fixture),
            dataKey: fixture.dataKey,
            schedule: fixture.schedule,
            random: fixture.random
        )
        #expect(sealed.ciphertext.count.isMultiple(of: 256))
        let encoded = sealed.encoded
        let parsed = try #require(encoded.withUnsafeBytes { SealedSecret(parsing: $0) })
        #expect(parsed == sealed)
        let opened = try parsed.open(Self.binding(fixture), dataKey: fixture.dataKey, schedule: fixture.schedule)
        #expect(opened.withBytes { Array($0) } == bytes)
    }

    @Test("one byte above the limit is refused")
    func tooLong() throws {
        let fixture = try VaultFixture()
        #expect(throws: CredentialError.self) {
            _ = try SealedSecret(
                sealing: try Secret(copying: [UInt8](repeating: 1, count: 16385), in: fixture.arena),
                Self.binding(fixture),
                dataKey: fixture.dataKey,
                schedule: fixture.schedule,
                random: fixture.random
            )
        }
    }

    @Test("a seal opens only for its store, login, field, revision and pin")
    func bound() throws {
        let fixture = try VaultFixture()
        let right = Self.binding(fixture)
        let sealed = try SealedSecret(
            sealing: try Secret(copying: Array("secret".utf8), in: fixture.arena),
            right,
            dataKey: fixture.dataKey,
            schedule: fixture.schedule,
            random: fixture.random
        )
        func binding(
            store: [UInt8]? = nil,
            entry: [UInt8]? = nil,
            field: SealedField = .password,
            revision: UInt64 = 3,
            pin: Pin? = nil
        ) -> SealedSecret.Binding {
            SealedSecret.Binding(
                storeID: store ?? right.storeID,
                entryID: entry ?? right.entryID,
                field: field,
                revision: revision,
                pin: pin ?? right.pin
            )
        }
        let wrong = [
            binding(store: [UInt8](repeating: 9, count: 16)), binding(entry: [UInt8](repeating: 2, count: 16)),
            binding(field: .envelope), binding(revision: 4), binding(revision: 2),
            binding(pin: VaultFixture.pin(2)), binding(pin: .authority(host: "db.example.com")),
        ]
        for other in wrong {
            #expect(throws: CredentialError.damaged(.entry)) {
                _ = try sealed.open(other, dataKey: fixture.dataKey, schedule: fixture.schedule)
            }
        }
        let otherKey = SharedSecret(try Secret(randomBytes: 32, in: fixture.arena))
        #expect(throws: CredentialError.damaged(.entry)) {
            _ = try sealed.open(right, dataKey: otherKey, schedule: fixture.schedule)
        }
        let opened = try sealed.open(right, dataKey: fixture.dataKey, schedule: fixture.schedule)
        #expect(opened.withBytes { Array($0) } == Array("secret".utf8))
    }

    @Test("two seals of the same secret have nothing in common")
    func fresh() throws {
        let fixture = try VaultFixture()
        let seals = try (0..<2).map { _ in
            try SealedSecret(
                sealing: try Secret(copying: Array("secret".utf8), in: fixture.arena),
                Self.binding(fixture),
                dataKey: fixture.dataKey,
                schedule: fixture.schedule,
                random: SystemRandom()
            )
        }
        #expect(seals[0].salt != seals[1].salt)
        #expect(seals[0].ciphertext != seals[1].ciphertext)
        #expect(seals[0].tag != seals[1].tag)
    }

    @Test("a password swapped between two logins opens for neither")
    func swapped() throws {
        let fixture = try VaultFixture()
        var payload = try fixture.open(try fixture.file(loginCount: 2)).payload
        let first = payload.entries[0].password
        payload.entries[0].password = payload.entries[1].password
        payload.entries[1].password = first
        let vault = try fixture.open(try fixture.seal(payload, header: fixture.header))
        for index in 0..<2 {
            #expect(throws: CredentialError.damaged(.entry)) {
                _ = try vault.password(of: vault.payload.entries[index], pin: VaultFixture.pin(index))
            }
        }
    }
}
