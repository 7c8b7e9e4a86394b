// SPDX-License-Identifier: Apache-2.0

/// The process at the other end of a connection, as the kernel recorded it when the process connected (SO_PEERCRED).
///
/// The process may have passed its socket to another one since, and its number may have been reused. So access can be
/// based on `uid` only; `pid` is for limits and logs.
public struct VarlinkPeer: Sendable, Hashable {
    /// The process ID.
    public let pid: Int32
    /// The effective user ID.
    public let uid: UInt32
    /// The effective group ID.
    public let gid: UInt32

    /// A peer with these values.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

/// Whether the server keeps a new connection.
public enum VarlinkAcceptDecision: Sendable, Hashable {
    case accept
    /// The connection is closed without a reply.
    case refuse
}
