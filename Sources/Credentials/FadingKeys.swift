// SPDX-License-Identifier: Apache-2.0

import Platform

/// The memory of a locked vault's keys, which goes with the last that still uses them.
struct FadingKeys {
    private weak var arena: SecretArena?

    init(arena: SecretArena) {
        self.arena = arena
    }

    var areGone: Bool { arena == nil }
}
