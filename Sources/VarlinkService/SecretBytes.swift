// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory that is always wiped before it is freed.
///
/// `@unchecked Sendable`: only `InboundBytes` writes to it, and drops its reference when it passes it on.
final class SecretBytes: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int) {
        base = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit {
        wipe(0..<capacity)
        base.deallocate()
    }

    func wipe(_ range: Range<Int>) {
        explicit_bzero(base + range.lowerBound, range.count)
    }
}
