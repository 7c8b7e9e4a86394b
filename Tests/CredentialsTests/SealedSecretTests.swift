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
            revision: 3,
            pin: VaultFixture.pin(1)
        )
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
