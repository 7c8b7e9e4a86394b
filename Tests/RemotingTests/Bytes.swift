// SPDX-License-Identifier: Apache-2.0

import NIOCore

@testable import Remoting

extension ByteBuffer {
    /// Decodes hexadecimal digits, two per byte.
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
