// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The parts of a stream that stand outside of cells.
extension ByteBuffer {
    mutating func writeCount(_ count: Int) {
        writeInteger(Int32(truncatingIfNeeded: count), endianness: .little)
    }

    /// A byte count and UTF-8.
    mutating func writeCounted(_ text: String) {
        writeCount(text.utf8.count)
        writeString(text)
    }
}
