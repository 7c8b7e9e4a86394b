// SPDX-License-Identifier: Apache-2.0

import CLinux

/// How the process's heap treats large blocks.
package enum Heap {
    private static let largeBlock: Int32 = 128 << 10

    /// Gives large blocks back to the system as soon as they are freed, from now on. By itself glibc takes the largest
    /// block that it has seen freed for usual, and keeps such ones in the heap: a list that was sent once would stay.
    package static func giveBackLargeBlocks() {
        relx_give_back_blocks(largeBlock)
    }
}
