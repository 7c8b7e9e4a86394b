// SPDX-License-Identifier: Apache-2.0

import Fuzzing
import Platform

@testable import Credentials

/// Vault files. The first byte determines how much is repaired: nothing, the header's digest, or also the header's tag.
/// So a change gets as far as an attacker without the key, or with it, could bring it.
@main
enum VaultFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        var bytes = Array(input.dropFirst())
        guard let keys = try? FuzzKeys() else { fatalError("no memory for keys") }
        if first % 3 > 0 { keys.repair(&bytes, withTag: first % 3 == 2) }
        guard let file = try? VaultFile(parsing: bytes) else { return }
        guard let front = try? file.header.encodedBeforeTag(), front.elementsEqual(file.headerBeforeTag) else {
            fatalError("an accepted header is not written again as it was")
        }
        for slot in file.header.slots where slot.cost == nil {
            _ = try? OpenVault.open(file, kind: slot.kind, secret: keys.slotSecret, in: keys.arena)
        }
    }
}

/// The fixed keys of the seeds in `Fuzz/corpus/vault`: those of vault-1.0.rcv.
struct FuzzKeys {
    let arena: SecretArena
    let slotSecret: SharedSecret
    private let dataKey: SharedSecret

    init() throws(PlatformError) {
        arena = try Self.shared.get()
        slotSecret = SharedSecret(try Secret(copying: [UInt8](0..<32), in: arena))
        let digits = HexText.decode("d86e8112f3c4c4442126f8e9f44f16867da487f29052bf91b810457db34209a4") ?? []
        dataKey = SharedSecret(try Secret(copying: digits, in: arena))
    }

    private static let shared = Result { () throws(PlatformError) in try SecretArena() }

    func repair(_ bytes: inout [UInt8], withTag: Bool) {
        let prefix = bytes.prefix(16)
        guard bytes.count >= 16 else { return }
        let length = prefix[12...].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length >= 180, length <= bytes.count, VaultHeader.magic.elementsEqual(prefix[..<8]) else { return }
        let digest = SHA256.digest(of: Array(bytes[..<108] + bytes[140..<(length - 32)]))
        bytes.replaceSubrange(108..<140, with: digest)
        guard withTag else { return }
        let tag = try? DataKey(secret: dataKey, storeID: Array(bytes[20..<36]), arena: arena)
            .headerTag(of: Array(bytes[..<(length - 32)]), saveSalt: Array(bytes[76..<108]))
        if let tag { bytes.replaceSubrange((length - 32)..<length, with: tag) }
    }
}
