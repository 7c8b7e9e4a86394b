// SPDX-License-Identifier: Apache-2.0

/// Where a vault file stopped being what was written.
package enum VaultDamage: Hashable, Sendable, CustomStringConvertible {
    /// Truncated, or something was appended.
    case size
    case headerLength
    /// The unkeyed digest of the header.
    case headerDigest
    /// A header field outside its bounds under a good digest: no writer of ours made it.
    case header(String)
    /// A key slot outside its bounds; counted from 0.
    case slot(Int)
    /// The data key of a slot whose commitment was right.
    case slotKey
    /// The keyed check of the header.
    case headerTag
    /// The encrypted part.
    case payload
    /// The encrypted part opened, but what is in it breaks the format.
    case record(String)
    /// One login's own seal.
    case entry

    package var description: String {
        switch self {
        case .size: "wrong size"
        case .headerLength: "header length"
        case .headerDigest: "header digest"
        case .header(let field): "header field \(field)"
        case .slot(let index): "key slot \(index)"
        case .slotKey: "data key"
        case .headerTag: "header tag"
        case .payload: "payload"
        case .record(let what): "record: \(what)"
        case .entry: "seal of a login"
        }
    }
}
