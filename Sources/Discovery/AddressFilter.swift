// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import NIOCore
import Synchronization

/// Checks sightings against the address policy, and counts those that it refuses. Refusing one affects no other
/// sighting.
package final class AddressFilter: Sendable {
    /// How long the prefixes are used before they are read again. Interfaces change rarely, but sightings can arrive
    /// in floods.
    private static let freshness = TimeAmount.seconds(1)

    private struct State {
        var policy: AddressPolicy
        var readAt: NIODeadline
        var refused = 0
    }

    private let readPrefixes: @Sendable () -> InterfacePrefixes
    private let state: Mutex<State>

    /// - Parameter readPrefixes: returns the prefixes of this machine's interfaces.
    package init(readPrefixes: @escaping @Sendable () -> InterfacePrefixes = InterfacePrefixes.current) {
        self.readPrefixes = readPrefixes
        state = Mutex(State(policy: AddressPolicy(readPrefixes()), readAt: .now()))
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
