// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore
import Registry

/// Answering what tools post to adapters.
extension ConnectionBroker {
    func answer(_ request: ByteBuffer, adapter id: String) async -> AdapterReply {
        adapters[id]?.used = .now()
        defer { adapters[id]?.used = .now() }
        do {
            let seat = try await seat(of: id)
            let (rules, vault) = (rules(of: id, in: seat), await store.state)
            let parsed = try await connector.offLoop(whenLarge: request) {
                try ToolRequest(request, rules, vault: vault)
            }
            switch parsed {
            case .answer(let reply):
                return AdapterReply(reply)
            case .forward(let message, let tool):
                // A tool at work keeps the vault open up to its absolute limit.
                if seat.key.needsVault { await store.touch() }
                return AdapterReply(try await seat.session.call(message, tool: tool))
            }
        } catch {
            return AdapterReply(error, to: request)
        }
    }

    /// What the adapter's address allows, and what was set for the endpoint.
    private func rules(of id: String, in seat: Seat) -> AdapterRules {
        var rules = seat.rules
        // Set after the adapter was opened, it counts too. The registry lives on the same loop.
        let endpoint = seat.target.endpoint
        rules.constraints = connector.registry.assumeIsolated { $0.constraints(of: endpoint) }
        if let open = adapters[id], let grant = open.grant {
            rules.route = .grant(grant.filter, isOver: open.isOver(at: .now()))
        }
        return rules
    }
}
