// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import TestSupport

@testable import Credentials

/// Small vaults made from fixed bytes, with known keys, so that no test waits for scrypt.
struct VaultFixture {
    let arena: SecretArena
    let random: CountingRandom
    let slotSecret: SharedSecret
    let key: DataKey
    let keys: VaultKeys
    let slot: KeySlot

    init(seed: UInt64 = 0, kind: KeyProviderKind = .credentialsDirectory) throws {
        arena = try SecretArena()
        random = CountingRandom(seed: seed)
        slotSecret = SharedSecret(try Secret(copying: [UInt8](0..<32), in: arena))
        key = try DataKey.fresh(for: try random.bytes(16), in: arena, from: random)
        keys = try VaultKeys.fresh(in: arena, from: random)
        let identity = try Self.identity(random, kind)
        slot = try key.wrapped(
            for: identity,
            slotSecret: slotSecret.secret,
            label: "test",
            created: 1_700_000_000
        )
    }

    var storeID: [UInt8] { key.storeID }

    /// The identity of a new slot.
    static func identity(
        _ random: any RandomSource,
        _ kind: KeyProviderKind = .credentialsDirectory
    ) throws -> SlotIdentity {
        let cost: ScryptCost? = kind == .passphrase ? .minimum : nil
        return SlotIdentity(kind: kind, cost: cost, id: try random.bytes(16), salt: try random.bytes(32))
    }

    var header: VaultHeader {
        VaultHeader(
            storeID: storeID,
            generation: 1,
            previousHash: [UInt8](repeating: 0, count: 32),
            saveSalt: [],
            slots: [slot],
            payloadByteCount: 0
        )
    }

    /// A file with `loginCount` logins named `login 0`, ..., whose passwords are `password 0`, ...
    func file(loginCount: Int = 0, header: VaultHeader? = nil) throws -> [UInt8] {
        let empty = try seal(VaultPayload(), header: header ?? self.header)
        guard loginCount > 0 else { return empty }
        let vault = try open(empty)
        var payload = VaultPayload()
        for index in 0..<loginCount {
            try add(index, to: &payload, of: vault)
        }
        return try seal(payload, header: header ?? self.header)
    }

    func add(_ index: Int, to payload: inout VaultPayload, of vault: OpenVault) throws {
        guard let id = LoginID(bytes: [UInt8](repeating: UInt8(index), count: 16)) else { throw Unfit() }
        try payload.add(
            try Self.login(index),
            as: id,
            password: SharedSecret(try Secret(copying: Array("password \(index)".utf8), in: arena)),
            created: 1_700_000_000,
            in: vault,
            random: random
        )
    }

    static func login(_ index: Int) throws -> NewLogin {
        guard let endpoint = EndpointID("endpoint-\(index)") else { throw Unfit() }
        return NewLogin(
            name: "login \(index)",
            account: Account(user: "user", domain: "domain", schema: "schema"),
            pinned: PinnedEndpoint(
                endpoint: endpoint,
                pin: pin(index)
            )
        )
    }

    static func pin(_ index: Int) -> Pin {
        .tls(spkiSHA256: [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 32))
    }

    func seal(_ payload: VaultPayload, header: VaultHeader) throws -> [UInt8] {
        try VaultDraft(header: header, payload: payload, keys: keys, key: key).sealed(random: random)
    }

    /// Opens the vault like an unlock, but without scrypt.
    func open(_ bytes: [UInt8]) throws(CredentialError) -> OpenVault {
        let file = try VaultFile(parsing: bytes)
        let key = try file.header.slots[0].unwrap(slotSecret.secret, storeID: file.header.storeID, in: arena)
        return try OpenVault(file, key: key)
    }

    struct Unfit: Error {}
}
