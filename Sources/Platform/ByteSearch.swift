// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Byte string search in linear time, whatever the text and the needle are.
package enum ByteSearch {
    /// Whether `needle` occurs in `text`.
    package static func contains(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, let needleStart = needle.baseAddress else { return needle.isEmpty }
        return relx_contains(start, text.count, needleStart, needle.count) != 0
    }
}
