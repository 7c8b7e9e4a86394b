// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Whom to probe, and what was said of it to whoever does. Pure.
struct ProbeTargets {
    private struct Target {
        var interest: ProbeInterest
        var url: ServerURL
        var addresses: [IPAddress]
    }

    private var told: [EndpointID: Target] = [:]
    /// Open leases and watches by endpoint.
    private var uses: [EndpointID: Int] = [:]

    mutating func beginUse(of id: EndpointID) {
        uses[id, default: 0] += 1
    }

    mutating func endUse(of id: EndpointID) {
        let left = (uses[id] ?? 1) - 1
        uses[id] = left > 0 ? left : nil
    }

    /// Nothing was said so far.
    mutating func forget() { told = [:] }

    func isTarget(_ id: EndpointID) -> Bool { told[id] != nil }

    /// - Parameter endpoint: nil when it may not be probed.
    /// - Returns: what is new about it.
    mutating func review(_ id: EndpointID, as endpoint: Endpoint?) -> ProbeEvent? {
        guard let endpoint else { return told.removeValue(forKey: id).map { _ in .unwanted(id) } }
        let interest = uses[id] == nil ? ProbeInterest.kept : .inUse
        let new = Target(interest: interest, url: endpoint.url, addresses: endpoint.addresses)
        guard let old = told.updateValue(new, forKey: id), old.interest == interest else {
            return .wanted(id, interest)
        }
        return old.url == new.url && old.addresses == new.addresses ? nil : .moved(id)
    }
}

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

/// What whoever probes has to know.
package enum ProbeEvent: Sendable, Hashable {
    /// From now on it is to be probed; also if its interest has changed.
    case wanted(EndpointID, ProbeInterest)
    case unwanted(EndpointID)
    /// It is still wanted, and at another place.
    case moved(EndpointID)
    /// A call to an endpoint that is wanted met this.
    case heard(EndpointID, Contact)
    /// What is shown of an endpoint's reachability is another now.
    case turned
}

/// Why an endpoint is probed: one with no interest never is.
package enum ProbeInterest: Sendable, Hashable {
    /// It was added, configured, or used once.
    case kept
    /// A lease on it is open, or somebody watches it.
    case inUse
}

/// Whether an endpoint is probed without being asked for.
package enum ProbeMode: String, Sendable, Hashable, CaseIterable {
    /// As usual: if it was added, configured, or used once.
    case on
    case off
}
