// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// Who listens on a port of this machine: any local user can, so a loopback pin also asks for the owner.
struct LoopbackListener {
    /// What another user looks like from inside a user namespace.
    private static let overflowUser: UInt32 = 65_534
    /// Listening sockets come first in the table; beyond this nobody but an attacker has that many.
    private static let maximumBytes = 8 << 20

    let user: UInt32
    /// All users but our own look the same.
    let isInUserNamespace: Bool

    static var current: LoopbackListener {
        let map = TextFile.read("/proc/self/uid_map", maximumBytes: 64 << 10) ?? ""
        let isInitial = map.split(whereSeparator: { $0.isWhitespace }) == ["0", "0", "4294967295"]
        return LoopbackListener(user: geteuid(), isInUserNamespace: !isInitial)
    }

    /// - Returns: false when a listener on this address belongs neither to us nor to root, or the kernel's table is too
    ///   long to say; true where there is no such table.
    func isTrusted(address: IPAddress, port: UInt16) -> Bool {
        // A socket on [::] takes IPv4 connections too.
        let names = address.family == .inet ? ["tcp", "tcp6"] : ["tcp6"]
        for path in names.map({ "/proc/net/\($0)" }) where access(path, R_OK) == 0 {
            guard let table = TextFile.read(path, maximumBytes: Self.maximumBytes),
                Self.owners(of: address, port: port, in: table).allSatisfy(isTrusted)
            else { return false }
        }
        return true
    }

    func isTrusted(_ owner: UInt32) -> Bool {
        owner == user || owner == 0 || (isInUserNamespace && owner == Self.overflowUser)
    }

    /// The users of the listening sockets that a connection to an address may reach, from the text of `/proc/net/tcp` or
    /// `/proc/net/tcp6`: bound to it, or to no address in particular.
    static func owners(of address: IPAddress, port: UInt16, in table: String) -> [UInt32] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[3] == "0A" else { return nil }
            let local = fields[1].split(separator: ":")
            guard local.count == 2, UInt16(local[1], radix: 16) == port,
                let bound = HexText.decode(String(local[0])).flatMap(self.address),
                bound.bytes == address.bytes || bound.mappedIPv4 == address || bound.bytes.allSatisfy({ $0 == 0 })
            else { return nil }
            return UInt32(fields[7])
        }
    }

    /// The kernel prints words of four bytes in the machine's order.
    private static func address(_ words: [UInt8]) -> IPAddress? {
        guard words.count == 4 || words.count == 16 else { return nil }
        let bytes = stride(from: 0, to: words.count, by: 4).flatMap { start -> [UInt8] in
            let word = words[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            return withUnsafeBytes(of: word) { Array($0) }
        }
        return IPAddress(bytes: bytes)
    }
}
