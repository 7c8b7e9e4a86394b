// SPDX-License-Identifier: Apache-2.0

/// The note as a sentence, for relctl and for `relativityd --verify-vault`.
extension AnchorNote: CustomStringConvertible {
    /// The note as a sentence.
    public var description: String {
        switch code {
        case .malformed: "\(ignored): it is malformed"
        case .otherVault: "\(ignored): it belongs to another vault"
        case .wrongTag: "\(ignored): it was not made by this vault"
        case .unreadable: "\(ignored): it cannot be read: \(reason)"
        case .notKept: "no anchor was kept in \(Printable(place)): \(reason)"
        }
    }

    private var ignored: String { "the anchor in \(Printable(place)) was ignored" }
    private var reason: String { fault?.description ?? detail ?? "unknown reason" }
}
