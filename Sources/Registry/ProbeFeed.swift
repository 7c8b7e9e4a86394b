// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Stream of probe events to the one listener, and the targets that the listener knows.
struct ProbeFeed {
    private var listener: AsyncStream<ProbeEvent>.Continuation?
    private var targets = ProbeTargets()

    /// Starts a new stream, with every target that is wanted. The earlier one ends.
    mutating func start(in state: RegistryState) -> AsyncStream<ProbeEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: ProbeEvent.self, bufferingPolicy: .unbounded)
        listener?.finish()
        listener = continuation
        targets.forget()
        for id in state.ids { review(id, in: state) }
        return stream
    }

    mutating func beginUse(of id: EndpointID, in state: RegistryState) {
        targets.beginUse(of: id)
        review(id, in: state)
    }

    mutating func endUse(of id: EndpointID, in state: RegistryState) {
        targets.endUse(of: id)
        review(id, in: state)
    }

    /// Sends what is new about an endpoint.
    mutating func review(_ id: EndpointID, in state: RegistryState) {
        guard let listener else { return }
        let endpoint = state.isProbed(id) ? state.endpoint(id) : nil
        if let event = targets.review(id, as: endpoint) { listener.yield(event) }
    }

    /// A call to an endpoint met this.
    func heard(_ contact: Contact, of id: EndpointID) {
        if targets.isTarget(id) { listener?.yield(.heard(id, contact)) }
    }

    /// What is shown of an endpoint's reachability is another now.
    func turned() { listener?.yield(.turned) }
}
