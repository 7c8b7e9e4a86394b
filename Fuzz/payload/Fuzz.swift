// SPDX-License-Identifier: Apache-2.0

import Fuzzing
import Platform

@testable import Credentials

/// The payload of a vault before encryption. The input is padded to a block, sealed with fixed keys, a valid digest and
/// valid tags, and read like a file. The first byte is the version that wrote it: minor 0 to 3 of format 1, or of format
/// 2. What is read of a known version has one encoding, and each login's own seal must open or be refused.
@main
enum PayloadFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        let version = VaultVersion(first & 4 == 0 ? 1 : 2, UInt16(first & 3))
        let plain = Array(input.dropFirst())
        let padded = plain + [UInt8](repeating: 0, count: (4096 - plain.count % 4096) % 4096)
        guard !padded.isEmpty else { return }
        guard let wrapped = try? FuzzWrapping(version) else { fatalError("no memory for keys") }
        guard let vault = try? wrapped.open(padded) else { return }
        for entry in vault.payload.entries {
            guard let pinned = vault.payload.pins.first(where: { $0.endpoint == entry.endpoint }) else {
                fatalError("a login without a pin was accepted")
            }
            _ = try? vault.password(of: entry, pin: pinned.pin)
        }
        guard !vault.header.version.isPartlyKnown else { return }
        guard let once = encoded(vault), let again = try? wrapped.open(once), again.payload == vault.payload,
            encoded(again) == once
        else { fatalError("an accepted payload is not written again as it was") }
    }

    private static func encoded(_ vault: OpenVault) -> [UInt8]? {
        try? PayloadCodec.withEncoded(vault.payload, vault.keys) { plain, _ in Array(plain) }
    }
}

/// Puts a payload into a file, as an attacker with the data key can.
struct FuzzWrapping {
    private let key: DataKey
    private let header: VaultHeader

    init(_ version: VaultVersion) throws {
        let arena = try Self.arena.get()
        let digits = HexText.decode("d86e8112f3c4c4442126f8e9f44f16867da487f29052bf91b810457db34209a4") ?? []
        // The store of vault-1.0.rcv, whose logins are among the seeds.
        let storeID = HexText.decode("7c9fa136d4413fa6173637e883b6998d") ?? []
        key = DataKey(secret: SharedSecret(try Secret(copying: digits, in: arena)), storeID: storeID, arena: arena)
        let slot = try key.wrapped(
            for: SlotIdentity(kind: .keyFile, cost: nil, id: Self.bytes(1, 16), salt: Self.bytes(2, 32)),
            slotSecret: try Secret(copying: Self.bytes(3, 32), in: arena),
            label: "",
            created: 0
        )
        header = VaultHeader(
            version: version,
            storeID: storeID,
            generation: 1,
            previousHash: Self.bytes(0, 32),
            saveSalt: Self.bytes(4, 32),
            slots: [slot],
            payloadByteCount: 0
        )
    }

    private static let arena = Result { () throws(PlatformError) in try SecretArena() }

    private static func bytes(_ value: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: value, count: count) }

    func open(_ plain: [UInt8]) throws -> OpenVault {
        var header = header
        header.payloadByteCount = plain.count
        let front = try header.encodedBeforeTag()
        let tag = try key.headerTag(of: front, saveSalt: header.saveSalt)
        let payloadKey = try key.payloadKey(saveSalt: header.saveSalt)
        let digest = SHA256.digest(of: front + tag)
        let sealed = try plain.withUnsafeBytes { try AESGCM.seal($0, key: payloadKey, associatedData: digest) }
        let file = try VaultFile(parsing: front + tag + sealed.ciphertext + sealed.tag)
        return try OpenVault(file, key: key)
    }
}
