// SPDX-License-Identifier: Apache-2.0

import Endpoints

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
