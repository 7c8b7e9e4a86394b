// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Registry

/// Probes one endpoint: asks where it is, and connects there; a second time, and after asking anew, where that fails.
struct Prober: Sendable {
    let connector: ServerConnector
    let store: CredentialStore
    /// Asks the sources of an announced endpoint where it is now.
    let refresh: @Sendable (ServiceInstance) -> Void
    private let lookUps: ProbeLookUps

    init(
        connector: ServerConnector,
        store: CredentialStore,
        refresh: @escaping @Sendable (ServiceInstance) -> Void
    ) {
        self.connector = connector
        self.store = store
        self.refresh = refresh
        lookUps = ProbeLookUps(pool: connector.pool, loop: connector.loop)
    }

    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func probe(_ endpoint: Endpoint) async throws -> Contact {
        let first = try await contact(endpoint, within: ProbeLimits.patience)
        guard case .failed = first else { return first }
        if let instance = endpoint.instance { refresh(instance) }
        return try await contact(endpoint, within: ProbeLimits.secondPatience)
    }

    private func contact(_ endpoint: Endpoint, within patience: Duration) async throws -> Contact {
        let deadline = NIODeadline.now() + TimeAmount(patience)
        let addresses: [IPAddress]
        do {
            addresses = try await connector.candidates(for: endpoint) { name in
                try await lookUps.addresses(of: name, before: deadline)
            }
        } catch BrokerError.unreachable(let reason) {
            return .failed(reason: reason)
        }
        let pin = await store.readablePin(of: endpoint.id)
        return try await connector.contact(endpoint, at: addresses, pin: pin, before: deadline)
    }
}
