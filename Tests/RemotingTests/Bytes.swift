// SPDX-License-Identifier: Apache-2.0

import NIOCore

@testable import Remoting

extension ByteBuffer {
    /// The bytes written as hexadecimal digits, two a byte.
    init(hex: String) {
        let nibbles = hex.compactMap(\.hexDigitValue)
        self.init(
            bytes: stride(from: 0, to: nibbles.count - 1, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
        )
    }

    var hex: String {
        readableBytesView.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    func contains(_ needle: some Collection<UInt8>) -> Bool {
        let haystack = Array(readableBytesView)
        let needle = Array(needle)
        guard haystack.count >= needle.count else { return false }
        return (0...(haystack.count - needle.count)).contains {
            haystack[$0..<($0 + needle.count)].elementsEqual(needle)
        }
    }
}

extension ClientID {
    /// `01234567-89ab-cdef-0123-456789abcdef`, the ClientID of the vectors.
    static let example = ClientID(high: 0xcdef_89ab_0123_4567, low: 0xefcd_ab89_6745_2301)
}

/// SplitMix64: the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
