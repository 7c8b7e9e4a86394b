// SPDX-License-Identifier: Apache-2.0

import Platform

/// Key memory of vaults that were locked while operations still used it. The memory is wiped and freed when the last of
/// them finishes.
struct RetiringKeys {
    private struct Reference {
        weak var arena: SecretArena?
    }

    private var references: [Reference] = []

    mutating func retire(_ arena: SecretArena) {
        removeFreed()
        references.append(Reference(arena: arena))
    }

    /// Whether none is left.
    mutating func areGone() -> Bool {
        removeFreed()
        return references.isEmpty
    }

    private mutating func removeFreed() { references.removeAll { $0.arena == nil } }
}
