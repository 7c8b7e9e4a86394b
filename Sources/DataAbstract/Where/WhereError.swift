// SPDX-License-Identifier: Apache-2.0

/// Why a where clause cannot be read, or not be written. Holds no part of it.
public enum WhereError: Error, Hashable, Sendable {
    /// The text breaks XML or the format there, counted in bytes of UTF-8.
    case malformed(reason: String, offset: Int)
    /// More of something than `WhereLimits` allows.
    case tooMany(_ what: String, limit: Int)
    /// A text holds a character that XML has no way to write.
    case unwritable
    case outOfMemory
}

extension WhereError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason, let offset): "malformed where clause: \(reason) at byte \(offset)"
        case .tooMany(let what, let limit): "more than \(limit) \(what) in a where clause"
        case .unwritable: "a text of the where clause holds a character that XML cannot hold"
        case .outOfMemory: "no memory for reading a where clause"
        }
    }
}
