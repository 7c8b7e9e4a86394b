// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport

extension ByteBuffer {
    /// Returns the bytes with some of them changed, and sometimes truncated.
    func mutated(_ numbers: inout SeededRandom) -> ByteBuffer {
        var bytes = self
        for _ in 0..<Int.random(in: 0...4, using: &numbers) {
            let values: [UInt8] = [0, 1, 2, 0x20, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &numbers)]
            let value = values[Int.random(in: values.indices, using: &numbers)]
            bytes.setInteger(value, at: Int.random(in: 0..<writerIndex, using: &numbers))
        }
        guard Int.random(in: 0..<5, using: &numbers) == 0 else { return bytes }
        return bytes.getSlice(at: 0, length: Int.random(in: 0...writerIndex, using: &numbers)) ?? bytes
    }
}
