// SPDX-License-Identifier: Apache-2.0

import Glibc

extension String {
    /// Whether the UTF-8 bytes are equal. `==` would also equate the composed and the decomposed form of a letter.
    package func hasSameBytes(as other: String) -> Bool {
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count == other.count
                }
                return one.count == other.count && memcmp(first, second, one.count) == 0
            }
        }
    }
}
