// SPDX-License-Identifier: Apache-2.0

import Credentials
import EventLoops
import NIOCore
import Registry
import Remoting

/// Answering what tools post to adapters.
extension ConnectionBroker {
    /// - Parameter share: what the request holds already; what is made of it and the server's reply are added.
    func answer(_ request: ByteBuffer, adapter id: String, _ share: RequestShare) async -> AdapterReply {
        let use = adapters[id]?.use
        use?.beginCall()
        var isPassing = false
        defer { if !isPassing { use?.endCall() } }
        do {
            let seat = if let taken = adapters[id]?.seat { taken } else { try await takeSeat(of: id) }
            let (rules, vault) = (rules(of: id, in: seat), store.stateNow)
            let parsed =
                ServerConnector.isLarge(request)
                ? try await parseOffLoop { try ToolRequest(request, rules, vault: vault) }
                : try ToolRequest(request, rules, vault: vault)
            switch parsed {
            case .answer(let reply):
                return AdapterReply(reply)
            case .forward(let message, let tool):
                // It is another message than the tool's then, as large as that one says.
                if ServerConnector.isCompressed(request) { try share.take(message.readableBytes) }
                // A tool at work keeps the vault open up to its absolute limit.
                if seat.key.needsVault { store.touchNow() }
                let reply = try await seat.session.call(message, tool: tool, share)
                do throws(BrokerError) {
                    try share.take(reply.heldBytes)
                } catch {
                    reply.rest?.abandon()
                    throw error
                }
                isPassing = reply.rest != nil
                // As long as it is passed on, the adapter is in use.
                return AdapterReply(reply, isPassing ? use : nil)
            }
        } catch {
            return AdapterReply(error, to: request)
        }
    }

    /// What is large or compressed is looked into on the thread pool, by a few at a time: how much memory an inflated request
    /// takes is known only when it is there.
    private func parseOffLoop(_ work: @escaping @Sendable () throws -> ToolRequest) async throws -> ToolRequest {
        await parsers.enter()
        defer { parsers.leave() }
        try Task.checkCancellation()
        return try await connector.pool.perform(work)
    }

    /// What the adapter's address allows, and what was set for the endpoint.
    private func rules(of id: String, in seat: Seat) -> AdapterRules {
        var rules = seat.rules
        // Set after the adapter was opened, it counts too.
        let endpoint = seat.target.endpoint
        rules.constraints = connector.registry.constraintsNow(of: endpoint)
        if let grant = adapters[id]?.grant {
            rules.route = .grant(grant.filter, isOver: adapters[id]?.isOver(at: .now()) ?? true)
        }
        return rules
    }
}
