// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// Who listens on a port of this machine: any local user can, so a loopback pin also asks for the owner.
enum LoopbackListener {
    private static let maximumBytes = 1 << 20
    /// What another user looks like from inside a user namespace.
    private static let overflowUser: UInt32 = 65_534

    /// - Returns: false only when the kernel names a listener that belongs neither to us nor to root.
    static func isTrusted(address: IPAddress, port: UInt16) -> Bool {
        let path = address.family == .inet ? "/proc/net/tcp" : "/proc/net/tcp6"
        guard let table = TextFile.read(path, maximumBytes: maximumBytes) else { return true }
        return owners(of: port, in: table).allSatisfy { $0 == geteuid() || $0 == 0 || $0 == overflowUser }
    }

    /// The users of all listening sockets on a port, from the text of `/proc/net/tcp`.
    static func owners(of port: UInt16, in table: String) -> [UInt32] {
        table.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":"),
                UInt16(fields[1][fields[1].index(after: colon)...], radix: 16) == port
            else { return nil }
            return UInt32(fields[7])
        }
    }
}
