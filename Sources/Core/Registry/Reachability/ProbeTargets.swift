// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The endpoints to probe, as the liveness monitor knows them. A value without effects.
struct ProbeTargets {
    private struct Target {
        var interest: ProbeInterest
        var url: ServerURL
        var addresses: [IPAddress]
    }

    private var told: [EndpointID: Target] = [:]
    /// The number of open leases and watches per endpoint.
    private var uses: [EndpointID: Int] = [:]

    mutating func beginUse(of id: EndpointID) {
        uses[id, default: 0] += 1
    }

    mutating func endUse(of id: EndpointID) {
        let left = (uses[id] ?? 1) - 1
        uses[id] = left > 0 ? left : nil
    }

    /// Forgets what was sent, because a new reader knows no target.
    mutating func forget() { told = [:] }

    func isTarget(_ id: EndpointID) -> Bool { told[id] != nil }

    /// - Parameter endpoint: nil if it may not be probed.
    /// - Returns: the event to send; nil if nothing has changed.
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

/// The stream of probe events to its only reader, and the targets that the reader knows.
struct ProbeFeed {
    private var listener: AsyncStream<ProbeEvent>.Continuation?
    private var targets = ProbeTargets()

    /// Starts a new stream, which begins with every target. The earlier stream ends.
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

    /// Sends an event if the endpoint's target has changed.
    mutating func review(_ id: EndpointID, in state: RegistryState) {
        guard let listener else { return }
        let endpoint = state.isProbed(id) ? state.endpoint(id) : nil
        if let event = targets.review(id, as: endpoint) { listener.yield(event) }
    }

    /// Sends the result of a call to an endpoint.
    func heard(_ contact: Contact, of id: EndpointID) {
        if targets.isTarget(id) { listener?.yield(.heard(id, contact)) }
    }

    /// Sends that the shown reachability of an endpoint has changed.
    func turned() { listener?.yield(.turned) }
}

/// An event for the liveness monitor.
package enum ProbeEvent: Sendable, Hashable {
    /// The endpoint must be probed from now on. Sent again if the interest changes.
    case wanted(EndpointID, ProbeInterest)
    /// The endpoint must no longer be probed.
    case unwanted(EndpointID)
    /// The URL or an address of a probed endpoint has changed.
    case moved(EndpointID)
    /// The result of a call to a probed endpoint.
    case heard(EndpointID, Contact)
    /// The shown reachability of an endpoint has changed.
    case turned
}

/// The reason why an endpoint is probed. Without one it is never probed.
package enum ProbeInterest: Sendable, Hashable {
    /// It was added, configured, or used at least once.
    case kept
    /// A lease on it is open, or a client watches it.
    case inUse
}

/// Whether the daemon probes an endpoint on its own.
package enum ProbeMode: String, Sendable, Hashable, CaseIterable {
    /// The endpoint is probed if it was added, configured, or used at least once.
    case on
    /// The endpoint is probed only if a client asks for it.
    case off
}
