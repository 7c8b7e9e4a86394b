// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore

/// Answering what tools post to adapters.
extension ConnectionBroker {
    func answer(_ request: ByteBuffer, adapter id: String) async -> AdapterReply {
        adapters[id]?.used = .now()
        defer { adapters[id]?.used = .now() }
        do {
            let seat = try seat(of: id)
            let parsed = try await connector.offLoop(whenLarge: request) { [rules = seat.rules] in
                try ToolRequest(request, rules)
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

    private func seat(of id: String) throws(BrokerError) -> Seat {
        guard let seat = adapters[id]?.seat else { throw .closed }
        return seat
    }
}
