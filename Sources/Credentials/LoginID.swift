// SPDX-License-Identifier: Apache-2.0

import Platform

/// The permanent ID of a login, independent of its name: 16 random bytes.
package struct LoginID: Sendable, Hashable, CustomStringConvertible {
    static let byteCount = 16
    let bytes: [UInt8]

    /// Parses an ID.
    ///
    /// - Parameter text: 32 hexadecimal digits.
    package init?(_ text: String) {
        guard let bytes = HexText.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    init(random: any RandomSource) throws(PlatformError) {
        bytes = try random.bytes(16)
    }

    /// The ID as 32 hexadecimal digits.
    package var description: String { HexText.encode(bytes) }
}
