// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory that is wiped before it is given back, whatever it held.
///
/// `@unchecked Sendable`: it is written by `InboundBytes` alone, which gives it up when it hands it out.
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
