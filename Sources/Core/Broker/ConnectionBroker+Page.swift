// SPDX-License-Identifier: Apache-2.0

import Credentials
import NIOCore

/// The description of a server's services, for tools that request it with GET.
extension ConnectionBroker {
    /// Answers a GET. Nothing is sent in the session.
    func answerPage(adapter id: String, _ share: RequestShare) async -> AdapterReply {
        let use = openAdapter(id)?.use
        use?.beginCall()
        defer { use?.endCall() }
        do {
            let lease = try await acquireSession(of: id)
            try rules(of: id, in: lease).check(.describe, vault: store.stateNow)
            try share.take(ServerConnector.pageBytes)
            let page = try await lease.session.page()
            // The vault may have been locked meanwhile.
            try checkCurrent(lease)
            try rules(of: id, in: lease).check(.describe, vault: store.stateNow)
            return AdapterReply(page)
        } catch {
            return AdapterReply(error)
        }
    }
}
