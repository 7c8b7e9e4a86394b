// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

@testable import Credentials

extension Probe {
    /// Makes a vault with one login, like `relctl vault init` and `relctl login add` together.
    ///
    /// - Returns: `sealed`, or the fault.
    static func sealed(in arena: SecretArena) -> String {
        do throws(CredentialError) {
            _ = try seal(in: arena)
            return "sealed"
        } catch {
            return "seal:\(word(for: error))"
        }
    }

    private static func seal(in arena: SecretArena) throws(CredentialError) -> [UInt8] {
        let random = SystemRandom()
        let key = try translated(DataKey.fresh(for: try random.bytes(16), in: arena, from: random))
        let (id, salt) = try translated((random.bytes(16), random.bytes(32)))
        let slot = try key.wrapped(
            for: SlotIdentity(kind: .credentialsDirectory, cost: nil, id: id, salt: salt),
            slotSecret: try translated(Secret(randomBytes: 32, in: arena)),
            label: "",
            created: 1
        )
        let header = VaultHeader(
            storeID: key.storeID,
            generation: 1,
            previousHash: [UInt8](repeating: 0, count: 32),
            saveSalt: [],
            slots: [slot],
            payloadByteCount: 0
        )
        let keys = try translated(VaultKeys.fresh(in: arena, from: random))
        func file(_ payload: VaultPayload) throws(CredentialError) -> [UInt8] {
            try VaultDraft(header: header, payload: payload, keys: keys, key: key).sealed(random: random)
        }
        let empty = try VaultFile(parsing: try file(VaultPayload()))
        let vault = try OpenVault(empty, key: key)
        var payload = VaultPayload()
        try add(to: &payload, of: vault, random: random)
        return try file(payload)
    }

    private static func add(
        to payload: inout VaultPayload,
        of vault: OpenVault,
        random: any RandomSource
    ) throws(CredentialError) {
        guard let id = LoginID(bytes: [UInt8](repeating: 1, count: 16)), let endpoint = EndpointID("e") else {
            throw .invalid(field: "the probe", reason: "is wrong")
        }
        let login = NewLogin(
            name: "probe",
            account: Account(user: "u", domain: "d", schema: "s"),
            pinned: PinnedEndpoint(
                endpoint: endpoint,
                pin: .tls(spkiSHA256: [UInt8](repeating: 1, count: 32))
            )
        )
        // Made in the arena and nowhere else. The test that looks for it knows the rule.
        let password = try translating { () throws(PlatformError) in
            try Secret(capacity: 64, in: vault.key.arena) { room in
                for index in 0..<64 { room[index] = UInt8(index * 37 & 0xFF) ^ 0x5A }
                return 64
            }
        }
        try payload.add(login, as: id, password: SharedSecret(password), created: 1, in: vault, random: random)
    }
}
