// SPDX-License-Identifier: Apache-2.0

/// A place whose anchor was ignored, or to which the anchor of the last save could not be written: a code, and the values
/// that belong to it.
package struct AnchorNote: Sendable, Hashable {
    /// The words of the API (`Credentials.AnchorNote`).
    package enum Code: String, Sendable, CaseIterable {
        case malformed
        case otherVault
        case wrongTag
        case unreadable
        case notKept
    }

    package var code: Code
    /// `memory`, `file`, or the name of a key provider.
    package var place: String
    /// The fault of the key provider, if that is the cause.
    package var fault: ProviderFault?
    /// The text of another error, made printable.
    package var detail: String?

    package init(_ code: Code, in place: String, fault: ProviderFault? = nil, detail: String? = nil) {
        self.code = code
        self.place = place
        self.fault = fault
        self.detail = detail
    }
}

/// A sentence, for relctl and for `relativityd --verify-vault`.
extension AnchorNote: CustomStringConvertible {
    package var description: String {
        switch code {
        case .malformed: "\(ignored): it is none"
        case .otherVault: "\(ignored): it belongs to another vault"
        case .wrongTag: "\(ignored): it was not made by this vault"
        case .unreadable: "\(ignored): it cannot be read: \(reason)"
        case .notKept: "no anchor was kept in \(Printable(place)): \(reason)"
        }
    }

    private var ignored: String { "the anchor in \(Printable(place)) was ignored" }
    private var reason: String { fault?.description ?? detail ?? "unknown reason" }
}
