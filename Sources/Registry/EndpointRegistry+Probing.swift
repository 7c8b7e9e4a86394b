// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc

/// Whom to probe, and what was met. The registry decides who may be contacted; whoever probes only listens.
extension EndpointRegistry {
    /// What whoever probes has to know, from now on: first every endpoint that is wanted. There is one listener; a second
    /// takes its place.
    package func probeEvents() -> AsyncStream<ProbeEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ProbeEvent.self, bufferingPolicy: .unbounded)
        probing?.finish()
        probing = continuation
        targets.forget()
        for id in state.ids { review(id) }
        return stream
    }

    /// A lease on an endpoint is open or somebody watches it, until `endUse` is called as often.
    package func beginUse(of id: EndpointID) {
        targets.beginUse(of: id)
        review(id)
    }

    /// See `beginUse`.
    package func endUse(of id: EndpointID) {
        targets.endUse(of: id)
        review(id)
    }

    /// Records what somebody's call to an endpoint met. Of calls that are answered one a second counts.
    package func note(_ contact: Contact, for id: EndpointID) {
        if contact == .reached, state.knows(contact, of: id, at: Int64(time(nil))) { return }
        record(contact, for: id)
        if targets.isTarget(id) { probing?.yield(.heard(id, contact)) }
    }

    /// Records what a probe met, unless the endpoint is at another place by now.
    package func conclude(_ contact: Contact, for endpoint: Endpoint) {
        let now = state.endpoint(endpoint.id)
        guard now?.url == endpoint.url, now?.addresses == endpoint.addresses else { return }
        record(contact, for: endpoint.id)
    }

    /// What an endpoint's last contacts met no longer counts, because it is to be another server from now on.
    package func forgetContact(with id: EndpointID) {
        state.forgetContact(with: id)
        publish()
    }

    /// What is known of the endpoints that are kept, for the next run.
    package var reachabilities: [EndpointID: Reachability] { state.reachabilities }

    /// Puts back what an earlier run knew.
    package func putBack(_ known: [EndpointID: Reachability]) {
        for (id, reachability) in known { state.putBack(reachability, for: id) }
        publish()
    }

    /// Tells whoever probes what is new about an endpoint.
    func review(_ id: EndpointID) {
        guard let probing else { return }
        if let event = targets.review(id, as: state.isProbed(id) ? state.endpoint(id) : nil) { probing.yield(event) }
    }

    private func record(_ contact: Contact, for id: EndpointID) {
        let isNew = state.note(contact, for: id, at: Int64(time(nil)))
        publish()
        if isNew { probing?.yield(.turned) }
    }
}
