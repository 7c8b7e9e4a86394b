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

/// The text of `/proc/net/tcp` or `/proc/net/tcp6`.
struct TCPTable {
    /// The longest table that is read. Only an attacker has more sockets.
    static let maximumBytes = 8 << 20
    private static let listening = "0A"
    private static let mappedPrefix = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The owner of one end of a connection; `.none` if the table has no such row.
    func owner(of end: TCPConnection) -> SocketOwner {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).dropFirst() {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 10).map { Substring($0) }
            guard fields.count > 9, fields[3] != Self.listening,
                Self.isSame(fields[1], end.address, end.port), Self.isSame(fields[2], end.otherAddress, end.otherPort),
                let uid = UInt32(fields[7]), let inode = UInt32(fields[9])
            else { continue }
            return SocketOwner(uid: uid, inode: inode)
        }
        return .none
    }

    /// - Parameter field: an address as words of four bytes in the machine's byte order, a colon and a port, in
    ///   hexadecimal.
    private static func isSame(_ field: Substring, _ address: [UInt8], _ port: UInt16) -> Bool {
        let parts = field.split(separator: ":")
        guard parts.count == 2, UInt16(parts[1], radix: 16) == port, let words = HexText.decode(String(parts[0])),
            words.count == 4 || words.count == 16
        else { return false }
        let bytes = stride(from: 0, to: words.count, by: 4).flatMap { start -> [UInt8] in
            let word = words[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return withUnsafeBytes(of: word) { Array($0) }
        }
        // A socket on [::] has IPv4 connections with mapped addresses.
        return bytes == address || bytes == mappedPrefix + address
    }
}

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
