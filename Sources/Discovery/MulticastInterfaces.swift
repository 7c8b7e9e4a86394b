// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The interfaces on which multicast DNS can reach other machines.
package enum MulticastInterfaces {
    /// The sorted names of interfaces that are up, have a carrier and support multicast, without loopback.
    @Sendable package static func current() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        let wanted = UInt32(IFF_UP | IFF_RUNNING | IFF_MULTICAST)
        var names: Set<String> = []
        var next = list
        while let entry = next {
            let flags = entry.pointee.ifa_flags
            if flags & wanted == wanted, flags & UInt32(IFF_LOOPBACK) == 0 {
                names.insert(String(cString: entry.pointee.ifa_name))
            }
            next = entry.pointee.ifa_next
        }
        return names.sorted()
    }
}
