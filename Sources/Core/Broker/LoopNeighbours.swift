// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Registry

// Calls of other actors without `await`, for code that runs on their event loop. No other file calls into another actor
// in this way. A decision of the broker must not be suspended between its reads and its effects. Meanwhile the vault
// could be locked or a login removed, and `forget` would not find anything to end yet. All of these actors have the
// broker's loop as their executor. From another thread these calls trap.

extension CredentialStore {
    nonisolated var stateNow: VaultState { assumeIsolated { $0.state } }

    /// Counts a call as use of the vault: resets the idle timer, but not the absolute limit.
    nonisolated func touchNow() { assumeIsolated { $0.touch() } }

    nonisolated func readableLoginNow(_ id: LoginID) -> Login? { assumeIsolated { $0.readableLogin(id) } }

    nonisolated func readableAlternatesNow(of endpoint: EndpointID) -> [PinnedEndpoint] {
        assumeIsolated { $0.readableAlternates(of: endpoint) }
    }

    nonisolated func readablePinNow(of endpoint: EndpointID) -> Pin? {
        assumeIsolated { $0.readablePin(of: endpoint) }
    }
}

extension EndpointRegistry {
    nonisolated func findNow(_ reference: String) throws -> Endpoint {
        try assumeIsolated { try $0.find(reference) }
    }

    nonisolated func constraintsNow(of endpoint: EndpointID) -> AccessConstraints {
        assumeIsolated { $0.constraints(of: endpoint) }
    }

    /// Marks an endpoint as in use, because a lease on it is open. No other code runs between the lease and this call.
    nonisolated func beginUseNow(of endpoint: EndpointID) { assumeIsolated { $0.beginUse(of: endpoint) } }

    nonisolated func endUseNow(of endpoint: EndpointID) { assumeIsolated { $0.endUse(of: endpoint) } }
}

extension ServerSession {
    nonisolated var strengthNow: PinStrength? { assumeIsolated { $0.strength } }

    nonisolated var withholdsPasswordNow: Bool { assumeIsolated { $0.withholdsPassword } }

    nonisolated var hasOtherDatabaseNow: Bool { assumeIsolated { $0.hasOtherDatabase } }

    nonisolated var hasAlternatesNow: Bool { assumeIsolated { $0.hasAlternates } }
}
