// SPDX-License-Identifier: Apache-2.0

/// The process at the other end of a connection, as the kernel saw it when it connected (SO_PEERCRED).
///
/// The process may have handed its socket to another since, and its number may be in use again: `uid` is what access
/// can rest on, `pid` serves for limits and logs.
public struct VarlinkPeer: Sendable, Hashable {
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32

    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// What a server does with a new connection.
public enum VarlinkAcceptDecision: Sendable, Hashable {
    case accept
    /// Closed without a word.
    case refuse
}
