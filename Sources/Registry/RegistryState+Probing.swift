// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// What attempts to reach endpoints have met, and whom to attempt it with.
extension RegistryState {
    /// Records what an attempt to reach an endpoint met.
    ///
    /// - Parameter now: Unix seconds.
    /// - Returns: whether another finding is shown now.
    mutating func note(_ contact: Contact, for id: EndpointID, at now: Int64) -> Bool {
        guard let old = facts[id]?.reachability else {
            guard facts[id] != nil else { return false }
            willChange(id)
            facts[id]?.reachability = Reachability(contact, at: now)
            return true
        }
        var new = old
        new.hear(contact, at: now)
        let isShown = new.contact != old.contact || new.isFromBefore != old.isFromBefore
        if isShown { willChange(id) }
        facts[id]?.reachability = new
        return isShown
    }

    /// Whether there is nothing to record.
    ///
    /// - Parameter now: Unix seconds.
    func knows(_ contact: Contact, of id: EndpointID, at now: Int64) -> Bool {
        facts[id]?.reachability?.isKnown(contact, at: now) ?? false
    }

    /// What an endpoint's last contacts met no longer counts, because it is to be another server from now on.
    mutating func forgetContact(with id: EndpointID) {
        willChange(id)
        facts[id]?.reachability = nil
    }

    /// Puts in what an earlier run knew of an endpoint, unless this one knows better.
    mutating func restore(_ known: Reachability, for id: EndpointID) {
        guard facts[id]?.reachability == nil else { return }
        willChange(id)
        facts[id]?.reachability = known
    }

    /// What is known of endpoints that stay.
    var reachabilities: [EndpointID: Reachability] {
        facts.filter { isKept($0.key) }.compactMapValues(\.reachability)
    }

    /// Whether an endpoint may be probed. One that was merely announced never may, also when it was hidden: a stranger
    /// would decide whom we connect to.
    func isProbed(_ id: EndpointID) -> Bool { isKept(id) && settings[id]?.probe != .off && facts[id] != nil }

    /// Somebody added it, used it, or set something for its server.
    private func isKept(_ id: EndpointID) -> Bool {
        facts[id]?.isKept == true || settings[id]?.isAboutServer == true
    }
}
