// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import NIOCore
import Synchronization

/// Holds sightings against the address policy, and counts what it refuses. A refused sighting hurts nobody but itself.
package final class AddressFilter: Sendable {
    /// Interfaces change seldom, sightings come in floods: the prefixes are read again after this long.
    private static let freshness = TimeAmount.seconds(1)

    private struct State {
        var policy: AddressPolicy
        var readAt: NIODeadline
        var refused = 0
    }

    private let readPrefixes: @Sendable () -> InterfacePrefixes
    private let state: Mutex<State>

    package init(readPrefixes: @escaping @Sendable () -> InterfacePrefixes = InterfacePrefixes.current) {
        self.readPrefixes = readPrefixes
        state = Mutex(State(policy: AddressPolicy(readPrefixes()), readAt: .now()))
    }

    /// How many sightings named port 0, or an address that their source may not lead to.
    package var refused: Int { state.withLock { $0.refused } }

    /// The event itself; for a refused sighting that its key has vanished, because an earlier address may have been good.
    package func checked(_ event: SightingEvent) -> SightingEvent {
        guard case .sighted(let sighting) = event, !isAllowed(sighting) else { return event }
        return .vanished(sighting.key)
    }

    /// Whether an address that was announced once may be connected to now.
    package func allowsStill(_ address: IPAddress) -> Bool {
        state.withLock { state in
            refresh(&state)
            return state.policy.allowsStill(address)
        }
    }

    private func isAllowed(_ sighting: Sighting) -> Bool {
        state.withLock { state in
            if sighting.port != 0, state.policy.allows(sighting) { return true }
            // An address may be new since the prefixes were read.
            if sighting.port != 0, refresh(&state), state.policy.allows(sighting) { return true }
            state.refused += 1
            return false
        }
    }

    /// - Returns: whether the prefixes were read anew.
    @discardableResult
    private func refresh(_ state: inout State) -> Bool {
        guard state.readAt + Self.freshness < .now() else { return false }
        state.policy = AddressPolicy(readPrefixes())
        state.readAt = .now()
        return true
    }
}
