// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport

@testable import Credentials

/// A vault that is derived from a seed: 1 to 8 slots of any type, and any content of a payload.
struct RandomVault {
    let bytes: [UInt8]
    /// The kind of slot, and the secret that opens it.
    let kind: KeyProviderKind
    let secret: [UInt8]
    let dataKey: [UInt8]

    /// A slot and its secret.
    private struct Key {
        let slot: KeySlot
        let secret: [UInt8]
    }

    init(seed: UInt64, arena: SecretArena, scrypt: ScryptCache) throws {
        var random = SeededRandom(seed: seed)
        let source = CountingRandom(seed: seed << 32)
        let dataKey = try DataKey.fresh(for: try source.bytes(16), in: arena, from: source)
        var keys = try VaultKeys.fresh(in: arena, from: source)
        keys.auditHead = .init(sequence: random.next() & VaultLimits.lastNumber, tag: random.bytes(32))
        let slots = try (0..<random.number(1...8)).map { _ in
            try Self.key(dataKey, scrypt, &random)
        }
        let isFirst = random.chance(1, of: 3)
        let header = VaultHeader(
            storeID: dataKey.storeID,
            generation: isFirst ? 1 : random.next() & VaultLimits.lastNumber | 2,
            previousHash: isFirst ? [UInt8](repeating: 0, count: 32) : random.bytes(32),
            saveSalt: [],
            slots: slots.map(\.slot),
            payloadByteCount: 0
        )
        func seal(_ payload: VaultPayload) throws -> [UInt8] {
            try VaultDraft(header: header, payload: payload, keys: keys, key: dataKey).sealed(random: source)
        }
        bytes = try seal(try RandomPayload(key: dataKey, source: source).make(&random))
        let opened = slots[random.number(0...(slots.count - 1))]
        kind = opened.slot.kind
        secret = opened.secret
        self.dataKey = dataKey.secret.secret.withBytes { Array($0) }
    }

    private static func key(
        _ dataKey: DataKey,
        _ scrypt: ScryptCache,
        _ random: inout SeededRandom
    ) throws -> Key {
        // scrypt is slow, so few slots use it, and they share a salt.
        let kind =
            random.chance(1, of: 20)
            ? .passphrase : random.element(KeyProviderKind.allCases.filter { $0 != .passphrase })
        let secret = kind == .passphrase ? ScryptCache.passphrase : random.bytes(kind == .recoveryCode ? 20 : 32)
        let identity = SlotIdentity(
            kind: kind,
            cost: kind == .passphrase ? .minimum : nil,
            id: random.bytes(16),
            salt: kind == .passphrase ? ScryptCache.salt : random.bytes(32)
        )
        let material = kind == .passphrase ? try scrypt.secret() : secret
        let slot = try dataKey.wrapped(
            for: identity,
            slotSecret: try Secret(copying: material, in: dataKey.arena),
            label: random.text(upTo: 30),
            created: random.next()
        )
        return Key(slot: slot, secret: secret)
    }
}
