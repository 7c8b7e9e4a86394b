// SPDX-License-Identifier: Apache-2.0

import Platform

/// The fields of a slot that its keys are derived from and bound to.
struct SlotIdentity: Sendable, Hashable {
    let kind: KeyProviderKind
    let cost: ScryptCost?
    let id: [UInt8]
    let salt: [UInt8]

    static let saltByteCount = 32

    /// log2N, r and p; zero for a slot without scrypt.
    var parameters: [UInt8] {
        cost.map { [$0.log2N, ScryptCost.r, ScryptCost.p] } ?? [0, 0, 0]
    }

    /// A slot that was never used before.
    static func fresh(
        _ kind: KeyProviderKind,
        cost: ScryptCost?,
        from random: any RandomSource
    ) throws(CredentialError) -> SlotIdentity {
        try translated { () throws(PlatformError) in
            let id = try random.bytes(16)
            return SlotIdentity(kind: kind, cost: cost, id: id, salt: try random.bytes(saltByteCount))
        }
    }
}
