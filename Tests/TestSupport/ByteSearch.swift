// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension [UInt8] {
    /// Whether it contains `needle`, which must have at least one byte.
    package func contains(bytes needle: [UInt8]) -> Bool {
        guard let first = needle.first else { return false }
        return withUnsafeBytes { hay in
            guard let base = hay.baseAddress else { return false }
            var offset = 0
            while offset <= hay.count - needle.count,
                let found = memchr(base + offset, Int32(first), hay.count - needle.count - offset + 1)
            {
                if memcmp(found, needle, needle.count) == 0 { return true }
                offset = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }
}
