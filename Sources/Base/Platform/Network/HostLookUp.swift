// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Calls the system's resolver, which may block for seconds. Call on a thread that no other work waits for.
package enum HostLookUp {
    /// The reason why a name has no addresses, in the resolver's words.
    package struct Failure: Error, Hashable {
        /// The text of gai_strerror(3).
        package let reason: String
    }

    /// The number of addresses that are returned for one name at most. Others are left out.
    private static let maximum = 16

    /// The addresses of a host as bytes of `sockaddr_in` and `sockaddr_in6`, in the resolver's order, without
    /// duplicates.
    package static func socketAddresses(of name: String) throws(Failure) -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else { throw Failure(reason: String(cString: gai_strerror(status))) }
        var addresses: [[UInt8]] = []
        var next = list
        while let entry = next, addresses.count < maximum {
            let bytes = UnsafeRawBufferPointer(start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            if !addresses.contains(Array(bytes)) { addresses.append(Array(bytes)) }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
