// SPDX-License-Identifier: Apache-2.0

/// The owner of a TCP socket of this machine, as far as the kernel tells.
package enum SocketOwner: Sendable, Hashable {
    /// A process of this user has the socket. In a user namespace every user outside of it is the overflow user.
    case user(UInt32)
    /// No process has the socket: the connection is made, and its listener has not accepted it yet.
    case unaccepted
    /// There is no such socket in this network namespace.
    case none
    /// The kernel does not answer the question.
    case unavailable

    /// - Parameters:
    ///   - uid: means nothing while `inode` is 0: kernels show 0 there, or the uid of the listener.
    ///   - inode: 0 while no process has the socket.
    init(uid: UInt32, inode: UInt32) {
        self = inode == 0 ? .unaccepted : .user(uid)
    }
}
