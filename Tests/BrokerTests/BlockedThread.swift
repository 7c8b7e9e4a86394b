// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Blocks a thread until the test releases it.
final class BlockedThread: Sendable {
    private let ends: [Int32]

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        self.ends = ends
    }

    deinit { close(ends[0]) }

    func wait() {
        var byte: UInt8 = 0
        read(ends[0], &byte, 1)
    }

    func release() { close(ends[1]) }
}
