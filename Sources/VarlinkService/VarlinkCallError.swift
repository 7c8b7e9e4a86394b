// SPDX-License-Identifier: Apache-2.0

/// Why a call could not go on. Methods let it pass: nobody is left to be told.
public enum VarlinkCallError: Error, Hashable {
    /// The peer closed its connection, or was closed for exceeding a limit.
    case peerGone
    /// The call has had its final reply.
    case alreadyReplied
    /// The method waits for a secret already; they come one after another.
    case alreadyReading
}

extension VarlinkCallError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .peerGone: "peer has gone"
        case .alreadyReplied: "call was already answered"
        case .alreadyReading: "a secret is already being read"
        }
    }
}
