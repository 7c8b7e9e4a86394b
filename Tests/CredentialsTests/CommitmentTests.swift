// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Credentials

@Suite("Commitment")
struct CommitmentTests {
    private struct Prepared {
        let fixture: VaultFixture
        let identity: SlotIdentity
        let secrets: [SharedSecret]

        init() throws {
            fixture = try VaultFixture()
            identity = try VaultFixture.identity(fixture.random)
            let arena = fixture.arena
            secrets = try (1...2).map { byte in
                SharedSecret(try Secret(copying: [UInt8](repeating: byte, count: 32), in: arena))
            }
        }

        func wrappingKeys() throws -> [[UInt8]] {
            try secrets.map { secret in
                let keys = try identity.keys(from: secret.secret, storeID: fixture.storeID, in: fixture.arena)
                return keys.wrapping.withBytes { Array($0) }
            }
        }

        func commitment(_ index: Int) throws -> [UInt8] {
            try identity.keys(from: secrets[index].secret, storeID: fixture.storeID, in: fixture.arena).commitment
        }

        /// A slot with this commitment whose wrapped key opens with the wrap key of either secret.
        func slot(_ commitment: [UInt8]) throws -> (slot: KeySlot, crafted: TwoKeyCiphertext, associated: [UInt8]) {
            let associated = identity.associatedData(storeID: fixture.storeID, commitment: commitment)
            let keys = try wrappingKeys()
            let crafted = try TwoKeyCiphertext(keys[0], keys[1], associatedData: associated)
            let slot = KeySlot(
                identity,
                commitment: commitment,
                wrappedKey: crafted.ciphertext + crafted.tag,
                label: "",
                created: 0
            )
            return (slot, crafted, associated)
        }

        func error(_ slot: KeySlot, _ index: Int) -> CredentialError? {
            do throws(CredentialError) {
                _ = try slot.unwrap(secrets[index].secret, storeID: fixture.storeID, in: fixture.arena)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("a ciphertext that opens under two keys by AES-GCM alone opens under neither in a slot")
    func neither() throws {
        let prepared = try Prepared()
        let (slot, crafted, associated) = try prepared.slot([UInt8](repeating: 0x42, count: 32))
        var opened: [[UInt8]] = []
        for bytes in try prepared.wrappingKeys() {
            let key = try Secret(copying: bytes, in: prepared.fixture.arena)
            var room = [UInt8](repeating: 0, count: 32)
            let isRight = try room.withUnsafeMutableBytes { room in
                try crafted.ciphertext.withUnsafeBytes {
                    try AESGCM.open($0, tag: crafted.tag, key: key, associatedData: associated, into: room)
                }
            }
            #expect(isRight, "the craft works")
            opened.append(room)
        }
        #expect(opened[0] != opened[1])
        for index in 0..<2 { #expect(prepared.error(slot, index) == .wrongKey) }
    }

    @Test("with the commitment of one secret the other secret opens nothing", arguments: 0..<2)
    func oneOfTwo(index: Int) throws {
        let prepared = try Prepared()
        let slot = try prepared.slot(try prepared.commitment(index)).slot
        #expect(prepared.error(slot, index) == nil)
        #expect(prepared.error(slot, 1 - index) == .wrongKey)
    }

    @Test("the arithmetic in the field of GHASH is correct")
    func field() {
        let value = GaloisField([UInt8](1...16))
        #expect(value * value.inverse == .one)
        #expect(value * .one == value)
        #expect(value.power(3) == value * value * value)
        #expect(value + value == GaloisField([]))
    }
}
