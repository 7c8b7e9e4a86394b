// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The process's heap.
package enum Heap {
    private static let largeBlock: Int32 = 128 << 10

    /// From now on, returns blocks of 128 KiB or more to the system as soon as they are freed. By default glibc
    /// raises this threshold to the largest block that was freed, and keeps smaller blocks in the heap: memory that
    /// was used once, to send a long list, would stay resident.
    package static func giveBackLargeBlocks() {
        relx_give_back_blocks(largeBlock)
    }
}
