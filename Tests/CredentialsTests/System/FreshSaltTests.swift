// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport
import Testing

@testable import Credentials

/// Every AES key is derived from a salt, and every nonce is zero, so no salt may be used for two seals.
@Suite("Fresh salts", .timeLimit(.minutes(2)))
struct FreshSaltTests {
    @Test("over 250 random changes of slots, logins and keys, no salt is used for two seals", arguments: [1, 2])
    func longRun(seed: UInt64) async throws {
        let fixture = try StoreFixture(keyFile: true)
        let store = try await fixture.created()
        var random = SeededRandom(seed: seed)
        var record = Record()
        var codes: [String: Int] = [:]
        var passphrase = 0
        var names: [String] = []
        var counts: [String: Int] = [:]
        for step in 0..<250 {
            let slots = try fixture.slots()
            let code = codes.keys.sorted().randomElement(using: &random)
            // A step with scrypt takes a tenth of a second, so these are rare.
            switch Int.random(in: 0..<60, using: &random) {
            case 0:
                let old = try fixture.shared("passphrase \(passphrase)")
                if passphrase > 0 {
                    passphrase += 1
                    try await store.change(.passphrase(from: old, to: try fixture.shared("passphrase \(passphrase)")))
                } else {
                    passphrase = 1
                    let new = try fixture.shared("passphrase 1")
                    try await store.change(.passphrase(from: try fixture.shared("open sesame"), to: new))
                }
                counts["change passphrase", default: 0] += 1
            case 1..<3:
                var presented = [
                    (
                        slot: "test",
                        secret: try fixture.shared(passphrase > 0 ? "passphrase \(passphrase)" : "open sesame")
                    )
                ]
                for (label, index) in codes { presented.append((label, try fixture.recoveryCode(index))) }
                try await store.change(.rotate(presenting: presented))
                counts["rotate", default: 0] += 1
            case 3..<15 where slots.count < 8:
                try await store.change(.add(.recoveryCode(try fixture.recoveryCode(step % 256)), label: "code \(step)"))
                codes["code \(step)"] = step % 256
                counts["add", default: 0] += 1
            case 15..<20 where slots.count < 8 && !slots.contains { $0.kind == .keyFile }:
                try await store.change(.add(.provider(.keyFile), label: "file"))
                counts["add", default: 0] += 1
            case 20..<22 where slots.contains { $0.kind == .keyFile }:
                try await store.change(.remove("file"))
                counts["remove", default: 0] += 1
            case 22..<26 where slots.contains { $0.kind == .keyFile }:
                try await store.change(.rewrap("file", presenting: nil))
                counts["rewrap", default: 0] += 1
            case 26..<32:
                guard let code, let index = codes[code] else { continue }
                try await store.change(.rewrap(code, presenting: try fixture.recoveryCode(index)))
                counts["rewrap", default: 0] += 1
            case 32..<37:
                guard let code else { continue }
                try await store.change(.remove(code))
                codes[code] = nil
                counts["remove", default: 0] += 1
            case 37..<52 where names.count < 30:
                names.append(try await fixture.add(step, to: store).name)
                counts["add login", default: 0] += 1
            default:
                guard let name = names.popLast() else { continue }
                try await store.remove(name)
                counts["remove login", default: 0] += 1
            }
            record.look(at: try fixture.file(), try await Self.entries(of: store))
        }
        print(
            "seed \(seed): \(counts.sorted { $0.key < $1.key }), \(record.sealed.count) salts, \(record.reuses) used twice"
        )
        #expect(record.reuses == 0)
        #expect(counts.count == 7, "every kind of change was made")
        #expect(record.sealed.count > 300)
    }

    /// The seals of each salt.
    private struct Record {
        var sealed: [[UInt8]: [UInt8]] = [:]
        var reuses = 0

        mutating func look(at file: VaultFile, _ entries: [VaultEntry]) {
            note(file.header.saveSalt, Array(file.headerTag) + file.gcmTag)
            for slot in file.header.slots { note(slot.identity.salt, slot.wrappedKey) }
            for entry in entries {
                guard let seal = entry.password.seal else { continue }
                note(seal.salt, seal.ciphertext + seal.tag)
            }
        }

        private mutating func note(_ salt: [UInt8], _ bytes: [UInt8]) {
            if let before = sealed[salt], before != bytes { reuses += 1 }
            sealed[salt] = bytes
        }
    }

    private static func entries(of store: isolated CredentialStore) throws -> [VaultEntry] {
        try store.open().payload.entries
    }
}
