// SPDX-License-Identifier: Apache-2.0

/// The owner of a TCP socket of this machine, as the kernel reports it.
package enum SocketOwner: Sendable, Hashable {
    /// A process of this user has the socket. In a user namespace, every user outside of it appears as the overflow
    /// user.
    case user(UInt32)
    /// No process has the socket: the connection is established, but its listener has not accepted it yet.
    case unaccepted
    /// This network namespace has no such socket.
    case none
    /// The kernel cannot answer the query.
    case unavailable

    /// - Parameters:
    ///   - uid: has no meaning while `inode` is 0. Kernels report 0 then, or the uid of the listener.
    ///   - inode: 0 while no process has the socket.
    init(uid: UInt32, inode: UInt32) {
        self = inode == 0 ? .unaccepted : .user(uid)
    }
}
