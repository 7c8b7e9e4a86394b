// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Why something is not allowed.
package enum AccessRefusal: Error, Sendable, Hashable {
    case otherUser
    /// This is not to be had on the socket that was used.
    case wrongSocket
    case vaultNotOpen
    /// The endpoint takes no adapters.
    case grantsOnly
    /// The endpoint takes nothing but reading calls; both names are foreign.
    case readOnly(service: String, method: String)
    /// The grant is for other calls; both names are foreign.
    case notGranted(service: String, method: String)
    case grantIsOver
    /// The endpoint's sessions are not handed out.
    case exportOff
    case pollNeedsOwnSession
    /// The endpoint wants a person's word for each adapter, grant or session, and there is none.
    case notAgreed
}

extension AccessRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .otherUser: "only the daemon's own user is served"
        case .wrongSocket: "this socket does not lead there"
        case .vaultNotOpen: "the vault is not unlocked"
        case .grantsOnly: "this server is to be used through grants only"
        case .readOnly(let service, let method):
            "this server is to be read only, and \(Printable(service)).\(Printable(method)) may change something"
        case .notGranted(let service, let method):
            "the grant does not allow \(Printable(service)).\(Printable(method)) in this form"
        case .grantIsOver: "the grant's time is over"
        case .exportOff:
            "sessions of this server are not handed out"
        case .pollNeedsOwnSession:
            "polls for events need a session of their own, which this adapter has not"
        case .notAgreed: "you are to be asked before this server is used, and did not agree"
        }
    }
}
