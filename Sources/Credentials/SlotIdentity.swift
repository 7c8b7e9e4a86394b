// SPDX-License-Identifier: Apache-2.0

import Platform

/// The fields of a slot from which its keys are derived, and to which they are bound.
struct SlotIdentity: Sendable, Hashable {
    let kind: KeyProviderKind
    let cost: ScryptCost?
    let id: [UInt8]
    let salt: [UInt8]

    static let saltByteCount = 32

    /// log2 N, r and p; zeros for a slot without scrypt.
    var parameters: [UInt8] {
        cost.map { [$0.log2N, ScryptCost.r, ScryptCost.p] } ?? [0, 0, 0]
    }

    /// Makes the identity of a new slot, with a random ID and salt.
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
