// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
import NIOPosix
import Platform

/// Resolves the host of an added endpoint to addresses, on the thread pool, because getaddrinfo may block for seconds.
struct HostResolver: Sendable {
    /// Looks up a host name.
    typealias LookUp = @Sendable (String) async throws -> [IPAddress]

    let pool: NIOThreadPool

    /// Returns the addresses, IPv4 first. The system's look-up leaves out addresses that no source may name.
    ///
    /// - Parameter lookUp: replaces the system's look-up.
    /// - Throws: `BrokerError.unreachable` with the resolver's reason, or the errors of `lookUp`.
    func addresses(of host: ServerHost, lookUp: LookUp? = nil) async throws -> [IPAddress] {
        switch host {
        case .address(let address, let zone):
            guard let zone else { return [address] }
            let index = UInt32(zone) ?? if_nametoindex(zone)
            guard index > 0, let scoped = IPAddress(bytes: address.bytes, scope: index) else {
                throw BrokerError.unreachable(StateReason(code: .noInterface, host: zone))
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
            throw BrokerError.unreachable(StateReason(code: .lookUpFailed, host: name, detail: error.reason))
        }
        let addresses = list.compactMap { $0.withUnsafeBytes { IPAddress(socketAddress: $0) } }
            .filter { !$0.isNoServer }
        return addresses.filter { $0.family == .inet } + addresses.filter { $0.family == .inet6 }
    }
}
