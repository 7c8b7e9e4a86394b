// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// One end of a TCP connection within this machine, over IPv4.
package struct TCPConnection: Sendable, Hashable {
    /// In host byte order.
    let address: UInt32
    let port: UInt16
    let otherAddress: UInt32
    let otherPort: UInt16

    /// - Parameters:
    ///   - address: of this end: four bytes, as `port` belongs to it.
    ///   - otherAddress: of the end that it leads to.
    /// - Returns: nil for addresses that are not IPv4.
    package init?(from address: [UInt8], port: UInt16, to otherAddress: [UInt8], port otherPort: UInt16) {
        guard let address = Self.number(address), let otherAddress = Self.number(otherAddress) else { return nil }
        self.address = address
        self.port = port
        self.otherAddress = otherAddress
        self.otherPort = otherPort
    }

    /// Whether a process of our own user made this end's socket, as far as the kernel says so.
    ///
    /// In a user namespace (`PrivateUsers=` of the unit) the kernel shows every other user as 65534, root too, and ours as
    /// ours. So the answer is exact there as well: what cannot be told apart is refused together.
    package var isOurs: Bool {
        let owner = relx_tcp_owner(address, port, otherAddress, otherPort)
        return owner >= 0 && owner == Int64(geteuid())
    }

    private static func number(_ bytes: [UInt8]) -> UInt32? {
        guard bytes.count == 4 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
