// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore
import Platform
import Remoting
import Services

/// The calls of tools through adapters.
extension ConnectionBroker {
    /// Answers any request of a tool.
    func answer(_ request: AdapterListener.Request, adapter id: String, _ share: RequestShare) async -> AdapterReply {
        switch request {
        case .message(let bytes): await answer(bytes, adapter: id, share)
        case .page(let path): await answerPage(path, adapter: id, share)
        }
    }

    /// Answers a request that a tool has posted to an adapter.
    ///
    /// - Parameter share: the request's bytes so far. Those of its message and of the reply are added.
    func answer(_ request: ByteBuffer, adapter id: String, _ share: RequestShare) async -> AdapterReply {
        let use = adapters[id]?.use
        use?.beginCall()
        var isPassing = false
        defer { if !isPassing { use?.endCall() } }
        do {
            let lease = try await acquireSession(of: id)
            // The rules depend on the address, which the login of a permanent adapter determines.
            if lease.session.hasAlternatesNow { try await lease.session.open() }
            // The timer of the vault is late if the machine slept.
            if lease.key.needsVault { await store.lockIfExpired() }
            switch try await parser.parse(request, rules(of: id, in: lease), vault: store.stateNow) {
            case .answer(let reply):
                return AdapterReply(reply)
            case .forward(let message, let tool, let isRepeatable):
                // The inflated message is separate from the tool's, and its size counts too.
                if ServerConnector.isCompressed(request) { try share.take(message.readableBytes) }
                // A tool at work keeps the vault open up to its absolute limit.
                if lease.key.needsVault { store.touchNow() }
                let reply = try await lease.session.call(message, tool: tool, isRepeatable: isRepeatable, share)
                do throws(BrokerError) {
                    try share.take(reply.heldBytes)
                } catch {
                    reply.rest?.abandon()
                    throw error
                }
                isPassing = reply.rest != nil
                // While the reply is passed on, the adapter is in use.
                return AdapterReply(reply, isPassing ? use : nil)
            }
        } catch {
            if case BrokerError.refused = error, let grant = adapters[id]?.grant { note(refusalBy: grant) }
            return AdapterReply(error, to: request)
        }
    }

    private func note(refusalBy grant: Grant) {
        guard refusalLines.permits(grant.id, at: .now) else { return }
        audit?.note(.refusal(byGrant: grant.id, endpoint: grant.endpoint, login: grant.login))
    }

    /// Answers a GET with the description of the server's services. Nothing is sent in the session.
    private func answerPage(_ path: ServerPath, adapter id: String, _ share: RequestShare) async -> AdapterReply {
        let use = adapters[id]?.use
        use?.beginCall()
        defer { use?.endCall() }
        do {
            let lease = try await acquireSession(of: id)
            // The timer of the vault is late if the machine slept.
            if lease.key.needsVault { await store.lockIfExpired() }
            try rules(of: id, in: lease).check(.describe, vault: store.stateNow)
            try share.take(ServerConnector.pageBytes)
            let page = try await lease.session.page(at: path)
            // The vault may have been locked meanwhile.
            try checkCurrent(lease)
            try rules(of: id, in: lease).check(.describe, vault: store.stateNow)
            return AdapterReply(page)
        } catch {
            return AdapterReply(error)
        }
    }
}
