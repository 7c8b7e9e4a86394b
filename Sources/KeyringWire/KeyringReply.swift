// SPDX-License-Identifier: Apache-2.0

/// The start of one reply on the helper's standard output. The last one is `done` or `failed`.
package enum KeyringReply: Sendable, Equatable {
    package static let byteCount = 4
    package static let maximumDetailByteCount = 256

    /// The keyring's program is asking a person now; nothing follows.
    case asking
    /// What was looked up follows, else nothing.
    case done(byteCount: Int)
    /// What the other side said follows: text of a stranger.
    case failed(KeyringFailure, detailByteCount: Int)

    /// - Returns: nil if these bytes begin no reply that this version understands.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let count = Int(bytes[2]) | Int(bytes[3]) << 8
        switch (bytes[0], KeyringFailure(rawValue: bytes[1])) {
        case (1, nil) where bytes[1] == 0 && count == 0: self = .asking
        case (2, nil) where bytes[1] == 0 && count <= KeyringItem.maximumByteCount: self = .done(byteCount: count)
        case (3, let failure?) where count <= Self.maximumDetailByteCount:
            self = .failed(failure, detailByteCount: count)
        default: return nil
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .asking: [1, 0, 0, 0]
        case .done(let count): [2, 0, UInt8(count & 0xFF), UInt8(count >> 8)]
        case .failed(let failure, let count): [3, failure.rawValue, UInt8(count & 0xFF), UInt8(count >> 8)]
        }
    }
}
