// SPDX-License-Identifier: Apache-2.0

/// The reason why a call cannot continue. Methods do not catch it, because the caller can no longer receive a reply.
public enum VarlinkCallError: Error, Hashable {
    /// The peer closed its connection, or the server closed it because a limit was exceeded.
    case peerGone
    /// The final reply was already sent.
    case alreadyReplied
    /// The method already waits for a secret. Secrets are read one after another.
    case alreadyReading
}

extension VarlinkCallError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    public var description: String {
        switch self {
        case .peerGone: "peer has gone"
        case .alreadyReplied: "call was already answered"
        case .alreadyReading: "a secret is already being read"
        }
    }
}
