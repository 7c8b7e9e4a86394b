// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A search for bytes in bytes that takes linear time, whatever both are.
package enum ByteSearch {
    package static func contains(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, let needleStart = needle.baseAddress else { return needle.isEmpty }
        return relx_contains(start, text.count, needleStart, needle.count) != 0
    }
}
