// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
import NIOPosix
import Platform

/// Turns a manual endpoint's host name into addresses, on the thread pool: getaddrinfo may block for seconds.
struct HostResolver: Sendable {
    /// Looks a host name up.
    typealias LookUp = @Sendable (String) async throws -> [IPAddress]

    let pool: NIOThreadPool

    /// IPv4 first; never one that no source may lead to.
    ///
    /// - Parameter lookUp: takes the place of the plain look-up.
    /// - Throws: `BrokerError.unreachable` with the resolver's reason.
    func addresses(of host: ServerHost, lookUp: LookUp? = nil) async throws -> [IPAddress] {
        switch host {
        case .address(let address, let zone):
            guard let zone else { return [address] }
            let index = UInt32(zone) ?? if_nametoindex(zone)
            guard index > 0, let scoped = IPAddress(bytes: address.bytes, scope: index) else {
                throw BrokerError.unreachable(StateReason(.noInterface, host: zone))
            }
            return [scoped]
        case .name(let name):
            if let lookUp { return try await lookUp(name) }
            return try await pool.perform { try Self.lookUp(name) }
        }
    }

    static func lookUp(_ name: String) throws -> [IPAddress] {
        let list: [[UInt8]]
        do throws(HostLookUp.Failure) {
            list = try HostLookUp.socketAddresses(of: name)
        } catch {
            throw BrokerError.unreachable(StateReason(.lookUpFailed, host: name, detail: error.reason))
        }
        let addresses = list.compactMap { $0.withUnsafeBytes { IPAddress(socketAddress: $0) } }
            .filter { !$0.isNoServer }
        return addresses.filter { $0.family == .inet } + addresses.filter { $0.family == .inet6 }
    }
}
