// SPDX-License-Identifier: Apache-2.0

package import Endpoints
internal import Glibc
import Locks
import NIOCore

/// Checks sightings against the address policy, and counts those that it refuses. Refusing one affects no other
/// sighting.
package final class AddressFilter: Sendable {
    /// The time for which the prefixes are used before they are read again. Interfaces change rarely, but sightings can
    /// arrive in floods.
    private static let freshness = TimeAmount.seconds(1)

    private struct State {
        var policy: AddressPolicy
        var readAt: NIODeadline
        var refused = 0
    }

    private let readPrefixes: @Sendable () -> InterfacePrefixes
    private let state: Lock<State>

    /// Makes a filter.
    ///
    /// - Parameter readPrefixes: returns the prefixes of this machine's interfaces.
    package init(readPrefixes: @escaping @Sendable () -> InterfacePrefixes = InterfacePrefixes.current) {
        self.readPrefixes = readPrefixes
        state = Lock(State(policy: AddressPolicy(readPrefixes()), readAt: .now()))
    }

    /// The number of sightings with port 0, or with an address that their source is not allowed to name.
    package var refused: Int { state.withLock { $0.refused } }

    /// Returns the event unchanged. For a refused sighting it returns `vanished` instead, because an earlier address
    /// of the same key may have been allowed.
    package func checked(_ event: SightingEvent) -> SightingEvent {
        guard case .sighted(let sighting) = event, !isAllowed(sighting) else { return event }
        return .vanished(sighting.key)
    }

    /// Whether an address that was announced earlier may still be connected to.
    package func allowsStill(_ address: IPAddress) -> Bool {
        state.withLock { state in
            refresh(&state)
            return state.policy.allowsStill(address)
        }
    }

    private func isAllowed(_ sighting: Sighting) -> Bool {
        state.withLock { state in
            if sighting.port != 0, state.policy.allows(sighting) { return true }
            // The address may be newer than the prefixes that were read.
            if sighting.port != 0, refresh(&state), state.policy.allows(sighting) { return true }
            state.refused += 1
            return false
        }
    }

    /// - Returns: whether the prefixes were read again.
    @discardableResult
    private func refresh(_ state: inout State) -> Bool {
        guard state.readAt + Self.freshness < .now() else { return false }
        state.policy = AddressPolicy(readPrefixes())
        state.readAt = .now()
        return true
    }
}

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
