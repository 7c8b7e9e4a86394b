// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Glibc

extension InterfacePrefixes {
    /// The result of `getifaddrs(3)`; empty if it fails, so that no announcement is allowed.
    package static func current() -> InterfacePrefixes {
        var result = InterfacePrefixes()
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return result }
        defer { freeifaddrs(list) }
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard
                let entry = entry?.pointee,
                let address = entry.ifa_addr.flatMap(IPAddress.init(socketAddress:)),
                let mask = entry.ifa_netmask.flatMap(IPAddress.init(socketAddress:)),
                let prefix = Prefix(address, length: mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount })
            else { continue }
            let index = if_nametoindex(entry.ifa_name)
            if index > 0 { result.insert(prefix, on: Int32(clamping: index)) }
        }
        return result
    }
}

extension IPAddress {
    /// Reads an address from getifaddrs, which reports the family but not the length. The length follows from the
    /// family.
    fileprivate init?(socketAddress: UnsafeMutablePointer<sockaddr>) {
        let length = Int32(socketAddress.pointee.sa_family) == AF_INET6 ? 28 : 16
        self.init(socketAddress: UnsafeRawBufferPointer(start: socketAddress, count: length))
    }
}
