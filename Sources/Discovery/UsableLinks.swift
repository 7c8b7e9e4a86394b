// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Glibc

/// The interfaces that are up with a carrier, each with the families of its addresses.
struct UsableLinks {
    private var links: Set<Link> = []

    func contains(_ link: Link) -> Bool { links.contains(link) }

    /// The result of `getifaddrs(3)`; empty if it fails.
    static func current() -> UsableLinks {
        var result = UsableLinks()
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return result }
        defer { freeifaddrs(list) }
        let wanted = UInt32(IFF_UP | IFF_RUNNING)
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }) {
            guard
                let entry = entry?.pointee, entry.ifa_flags & wanted == wanted, let address = entry.ifa_addr,
                let family = AddressFamily(address.pointee.sa_family)
            else { continue }
            result.links.insert(Link(interface: Int32(clamping: if_nametoindex(entry.ifa_name)), family: family))
        }
        return result
    }
}

extension AddressFamily {
    fileprivate init?(_ family: sa_family_t) {
        switch Int32(family) {
        case AF_INET: self = .inet
        case AF_INET6: self = .inet6
        default: return nil
        }
    }
}
