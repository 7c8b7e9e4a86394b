// SPDX-License-Identifier: Apache-2.0

import Locks
import Platform

/// Bytes that are derived only from a seed, so that a vault made with them is the same on every machine.
final class CountingRandom: RandomSource {
    private let next: Lock<UInt64>

    init(seed: UInt64 = 0) {
        next = Lock(seed)
    }

    /// SHA-256 of a counter, block after block, as in docs/vault-format.md.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) {
        var filled = 0
        while filled < buffer.count {
            let counter = next.withLock { next in
                next += 1
                return next
            }
            let block = SHA256.digest(of: withUnsafeBytes(of: counter.littleEndian) { Array($0) })
            for byte in block where filled < buffer.count {
                buffer[filled] = byte
                filled += 1
            }
        }
    }
}
