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

    /// What a probe has met.
    struct Finding: Sendable {
        let contact: Contact
        /// The server was held against its pin.
        let isJudged: Bool
    }

    /// Whether an endpoint may be probed unasked. Where only announcements say where it is, whoever announces it would decide
    /// whom this machine connects to, unless its pin can be read.
    func mayProbe(_ endpoint: Endpoint) async -> Bool {
        let isPinned = await store.readablePin(of: endpoint.id) != nil
        return Self.mayProbe(endpoint.origin, isPinned: isPinned, vault: await store.state)
    }

    static func mayProbe(_ origin: Origin, isPinned: Bool, vault: VaultState) -> Bool {
        guard origin == .discovered, !isPinned else { return true }
        switch vault {
        case .unlocked, .absent: return true
        case .sealed, .locked: return false
        }
    }

    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func probe(_ endpoint: Endpoint) async throws -> Finding {
        let first = try await contact(endpoint, within: ProbeLimits.patience)
        guard case .failed = first.contact else { return first }
        let announced = await connector.registry.instances(of: endpoint.id)
        for instance in announced.union(endpoint.instance.map { [$0] } ?? []) { refresh(instance) }
        return try await contact(endpoint, within: ProbeLimits.secondPatience)
    }

    private func contact(_ endpoint: Endpoint, within patience: Duration) async throws -> Finding {
        let deadline = NIODeadline.now() + TimeAmount(patience)
        let addresses: [IPAddress]
        do {
            addresses = try await connector.candidates(for: endpoint) { name in
                try await lookUps.addresses(of: name, before: deadline)
            }
        } catch BrokerError.unreachable(let reason) {
            return Finding(contact: .failed(reason), isJudged: false)
        }
        let pin = await store.readablePin(of: endpoint.id)
        // A server may choose its key by the name in the handshake: it is held against its pin under the name of then.
        let agreed = await store.readableAgreedURL(of: endpoint.id).flatMap { try? ServerURL(completing: $0) }?.host
        let named = endpoint.named(agreed)
        let contact = try await connector.contact(named, at: addresses, pin: pin, before: deadline)
        return Finding(contact: contact, isJudged: pin != nil)
    }
}
