// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Registry

// Calls of other actors without `await`, for code that runs on their event loop: the one place that reaches into another
// actor. A decision of the broker must not be suspended between what it reads here and what it does: the vault may be
// locked meanwhile, or a login removed, and `forget` finds nothing to end yet. All of these actors have the broker's loop
// as their executor; elsewhere these calls trap.

extension CredentialStore {
    nonisolated var stateNow: VaultState { assumeIsolated { $0.state } }

    /// Counts a call as use of the vault: it resets the idle time, but not the absolute limit.
    nonisolated func touchNow() { assumeIsolated { $0.touch() } }

    nonisolated func readableLoginNow(_ id: LoginID) -> Login? { assumeIsolated { $0.readableLogin(id) } }

    nonisolated func readablePinNow(of endpoint: EndpointID) -> Pin? {
        assumeIsolated { $0.readablePin(of: endpoint) }
    }
}

extension EndpointRegistry {
    nonisolated func constraintsNow(of endpoint: EndpointID) -> AccessConstraints {
        assumeIsolated { $0.constraints(of: endpoint) }
    }

    /// A lease is open from now on: nothing comes between the lease and this.
    nonisolated func beginUseNow(of endpoint: EndpointID) { assumeIsolated { $0.beginUse(of: endpoint) } }

    nonisolated func endUseNow(of endpoint: EndpointID) { assumeIsolated { $0.endUse(of: endpoint) } }
}

extension ServerSession {
    nonisolated var holdsBackPasswordNow: Bool { assumeIsolated { $0.holdsBackPassword } }
}
