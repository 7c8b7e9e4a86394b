// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import NIOPosix
import Platform

/// Turns a manual endpoint's host name into addresses, on the thread pool: getaddrinfo may block for seconds.
struct HostResolver: Sendable {
    private static let maximumAddresses = 16

    let pool: NIOThreadPool

    /// IPv4 first; never an address that names no single host.
    ///
    /// - Throws: `BrokerError.unreachable` with the resolver's reason.
    func addresses(of host: ServerHost) async throws -> [IPAddress] {
        switch host {
        case .address(let address, let zone):
            guard let zone else { return [address] }
            let index = UInt32(zone) ?? if_nametoindex(zone)
            guard index > 0, let scoped = IPAddress(bytes: address.bytes, scope: index) else {
                throw BrokerError.unreachable(reason: "there is no interface \(Printable(zone))")
            }
            return [scoped]
        case .name(let name):
            return try await pool.perform { try Self.lookUp(name) }
        }
    }

    private static func lookUp(_ name: String) throws -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard status == 0 else {
            throw BrokerError.unreachable(reason: "\(Printable(name)): \(String(cString: gai_strerror(status)))")
        }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next, addresses.count < maximumAddresses {
            if let address = address(entry.pointee), !address.namesNoHost, !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses.filter { $0.family == .inet } + addresses.filter { $0.family == .inet6 }
    }

    private static func address(_ entry: addrinfo) -> IPAddress? {
        guard let pointer = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self).sin_addr
            return IPAddress(bytes: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self)
            return IPAddress(
                bytes: withUnsafeBytes(of: address.sin6_addr) { Array($0) },
                scope: address.sin6_scope_id
            )
        default:
            return nil
        }
    }
}
