// SPDX-License-Identifier: Apache-2.0

/// A note about a location whose anchor was ignored, or where the anchor of the last save could not be stored: a code,
/// and the values that belong to it.
package struct AnchorNote: Sendable, Hashable {
    /// The kinds of problem. The raw values are used in the API (`Credentials.AnchorNote`).
    package enum Code: String, Sendable, CaseIterable {
        case malformed
        case otherVault
        case wrongTag
        case unreadable
        case notKept
    }

    /// The kind of problem.
    package var code: Code
    /// The location: `memory`, `file`, or the name of a key provider.
    package var place: String
    /// The fault of the key provider, if that is the cause.
    package var fault: ProviderFault?
    /// The text of another error, made printable.
    package var detail: String?

    /// A note with these values.
    package init(_ code: Code, in place: String, fault: ProviderFault? = nil, detail: String? = nil) {
        self.code = code
        self.place = place
        self.fault = fault
        self.detail = detail
    }
}

/// The note as a sentence, for relctl and for `relativityd --verify-vault`.
extension AnchorNote: CustomStringConvertible {
    /// The note as a sentence.
    package var description: String {
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
