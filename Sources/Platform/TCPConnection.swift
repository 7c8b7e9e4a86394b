// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// One end of a TCP connection within this machine. A socket of this process is the other end.
package struct TCPConnection: Sendable, Hashable {
    /// The address, of 4 or 16 bytes in network order.
    let address: [UInt8]
    let port: UInt16
    let otherAddress: [UInt8]
    let otherPort: UInt16

    /// - Parameters:
    ///   - address: the address of this end.
    ///   - otherAddress: the address of the other end.
    /// - Returns: nil unless both addresses have 4 bytes or both have 16.
    package init?(from address: [UInt8], port: UInt16, to otherAddress: [UInt8], port otherPort: UInt16) {
        guard address.count == otherAddress.count, address.count == 4 || address.count == 16 else { return nil }
        self.address = address
        self.port = port
        self.otherAddress = otherAddress
        self.otherPort = otherPort
    }

    /// Whether the kernel reports that a process of this user has this end's socket.
    ///
    /// In a user namespace (`PrivateUsers=` of the unit) the kernel shows this user unchanged, and every other user,
    /// also root, as the overflow user. So the answer is exact there as well.
    package var isOurs: Bool { owner == .user(geteuid()) }

    /// The owner of this end's socket, from sock_diag(7). The query takes some microseconds.
    package var owner: SocketOwner {
        var found = relx_socket_owner()
        switch ask(&found) {
        case 0: return SocketOwner(uid: found.uid, inode: found.inode)
        // The end of this process exists. If the kernel does not find that one either, it has no sock_diag for TCP.
        case -ENOENT: return reversed.ask(&found) == -ENOENT ? .unavailable : .none
        default: return .unavailable
        }
    }

    /// The owner of this end's socket, from `/proc/net/tcp` and `/proc/net/tcp6`. Other users can make these tables
    /// long, so call this on a thread that may block.
    package var tabledOwner: SocketOwner {
        let tables = ["tcp", "tcp6"].map {
            TextFile.read("/proc/net/\($0)", maximumBytes: TCPTable.maximumBytes).map { TCPTable($0).owner(of: self) }
        }
        let found = tables.compactMap { $0 }.first { $0 != .none }
        return found ?? (tables.contains(nil) ? .unavailable : .none)
    }

    private var reversed: TCPConnection {
        TCPConnection(from: otherAddress, port: otherPort, to: address, port: port) ?? self
    }

    private func ask(_ owner: inout relx_socket_owner) -> Int32 {
        relx_tcp_owner(address, port, otherAddress, otherPort, address.count, &owner)
    }
}
