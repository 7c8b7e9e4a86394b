// SPDX-License-Identifier: Apache-2.0

/// The first check that a damaged vault file fails (docs/vault-format.md, "Faults").
package enum VaultDamage: Hashable, Sendable, CustomStringConvertible {
    /// The file is truncated, or bytes were appended.
    case size
    /// The length of the header is not one of the eight values.
    case headerLength
    /// The digest of the header is wrong. It needs no key.
    case headerDigest
    /// A header field is out of bounds although the digest is right: this program did not write it.
    case header(String)
    /// A key slot is out of bounds; the index counts from 0.
    case slot(Int)
    /// The wrapped data key of a slot does not open although the slot's commitment is right.
    case slotKey
    /// The header tag is wrong. It needs the data key.
    case headerTag
    /// The tag of the payload is wrong.
    case payload
    /// The payload opens, but its content breaks the format.
    case record(String)
    /// The seal of a login's secret does not open.
    case entry

    /// The name of the check, for messages.
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
