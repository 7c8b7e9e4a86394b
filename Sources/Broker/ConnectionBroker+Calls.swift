// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore
import Registry
import Remoting

/// Answering what tools post to adapters.
extension ConnectionBroker {
    /// - Parameter share: what the request holds already; what is made of it and the server's reply are added.
    func answer(_ request: ByteBuffer, adapter id: String, _ share: RequestShare) async -> AdapterReply {
        adapters[id]?.beginCall()
        defer { adapters[id]?.endCall() }
        do {
            let seat = try await seat(of: id)
            let (rules, vault) = (rules(of: id, in: seat), await store.state)
            let parsed = try await parse(request) { try ToolRequest(request, rules, vault: vault) }
            switch parsed {
            case .answer(let reply):
                return AdapterReply(reply)
            case .forward(let message, let tool):
                // It is another message than the tool's then, as large as that one says.
                if ServerConnector.isCompressed(request) { try share.take(message.readableBytes) }
                // A tool at work keeps the vault open up to its absolute limit.
                if seat.key.needsVault { await store.touch() }
                let reply = try await seat.session.call(message, tool: tool)
                try share.take(reply.byteCount)
                return AdapterReply(reply)
            }
        } catch {
            return AdapterReply(error, to: request)
        }
    }

    /// What is large or compressed is looked into on the thread pool, by a few at a time: how much memory an inflated request
    /// takes is known only when it is there.
    private func parse(
        _ request: ByteBuffer,
        _ work: @escaping @Sendable () throws -> ToolRequest
    ) async throws -> ToolRequest {
        guard ServerConnector.isLarge(request) else { return try work() }
        await parsers.enter()
        defer { parsers.leave() }
        try Task.checkCancellation()
        return try await connector.offLoop(whenLarge: request, work)
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
