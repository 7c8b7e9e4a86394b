// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// Which endpoints may have changed since watchers were told of them, and what they were told. First come, first told; but
/// before all others those that a person added or used.
struct PendingChanges: Sendable {
    /// What watchers were told of each; nil for one that they do not know.
    private(set) var told: [EndpointID: Endpoint?] = [:]
    private var urgent = Lane<EndpointID>()
    private var others = Lane<EndpointID>()
    /// Changes that became one with an earlier one.
    private(set) var folded: UInt64 = 0

    var isEmpty: Bool { told.isEmpty }

    func contains(_ id: EndpointID) -> Bool { told[id] != nil }

    /// One more change of an endpoint that it contains.
    mutating func fold() { folded += 1 }

    /// - Parameter id: of one that it does not contain.
    mutating func add(_ id: EndpointID, told endpoint: Endpoint?, isUrgent: Bool) {
        told[id] = .some(endpoint)
        if isUrgent { urgent.append(id) } else { others.append(id) }
    }

    /// A person has added or used what may wait among the others.
    mutating func hurry(_ id: EndpointID) {
        if told[id] != nil { urgent.append(id) }
    }

    /// - Parameter onlyUrgent: leaves the others for later.
    mutating func next(onlyUrgent: Bool) -> (id: EndpointID, told: Endpoint?)? {
        while let id = urgent.pop() ?? (onlyUrgent ? nil : others.pop()) {
            if let endpoint = told.removeValue(forKey: id) { return (id, endpoint) }
        }
        return nil
    }

    /// Forgets all but how many were folded.
    mutating func removeAll() {
        let folded = folded
        self = PendingChanges()
        self.folded = folded
    }
}
