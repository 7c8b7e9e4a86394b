// SPDX-License-Identifier: Apache-2.0

/// Why a call could not go on. Methods let it pass: nobody is left to be told.
public enum VarlinkCallError: Error, Hashable {
    /// The peer closed its connection, or was closed for exceeding a limit.
    case peerGone
    /// The call has had its final reply.
    case alreadyReplied
    /// The method has asked for a secret before; a call brings one.
    case alreadyUpgraded
}

extension VarlinkCallError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .peerGone: "peer has gone"
        case .alreadyReplied: "call was already answered"
        case .alreadyUpgraded: "connection is already upgraded"
        }
    }
}
