// SPDX-License-Identifier: Apache-2.0

/// What was found in one place where an anchor may be.
enum AnchorFinding: Sendable, Hashable {
    case none
    case found(RollbackAnchor)
    /// What is there proves nothing, and counts as if nothing were there.
    case ignored(Reason)

    enum Reason: Sendable, Hashable, CustomStringConvertible {
        case malformed
        case otherVault
        case wrongTag
        case unreadable(String)

        /// For status.
        func sentence(on place: AnchorPlace) -> String { "the anchor in \(place) was ignored: it \(self)" }

        var description: String {
            switch self {
            case .malformed: "is none"
            case .otherVault: "belongs to another vault"
            case .wrongTag: "was not made by this vault"
            case .unreadable(let reason): "cannot be read: \(reason)"
            }
        }
    }
}
