// SPDX-License-Identifier: Apache-2.0

/// The result of reading one location of an anchor.
enum AnchorFinding: Sendable, Hashable {
    case none
    case found(RollbackAnchor)
    /// The content proves nothing. It counts as if there were no anchor.
    case ignored(Reason)

    enum Reason: Sendable, Hashable, CustomStringConvertible {
        case malformed
        case otherVault
        case wrongTag
        case unreadable(String)

        /// The text for status.
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
