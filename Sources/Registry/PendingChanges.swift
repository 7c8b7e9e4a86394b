// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// Endpoints that may have changed since watchers were last notified, with the state that watchers have of each. FIFO,
/// except that endpoints which a person added or used go first.
struct PendingChanges: Sendable {
    /// What watchers have of each; nil for one that they do not know.
    private var lastSent: [EndpointID: Endpoint?] = [:]
    private var urgent = Lane<EndpointID>()
    private var others = Lane<EndpointID>()
    /// Changes that became one with an earlier one.
    private(set) var folded: UInt64 = 0

    var isEmpty: Bool { lastSent.isEmpty }

    var count: Int { lastSent.count }

    func contains(_ id: EndpointID) -> Bool { lastSent[id] != nil }

    mutating func add(_ changes: StateChanges) {
        folded += changes.folded
        for step in changes.steps {
            switch step {
            case .changed(let id, let before, let isKept):
                lastSent[id] = .some(before)
                if isKept { urgent.append(id) } else { others.append(id) }
            case .expedited(let id):
                if contains(id) { urgent.append(id) }
            }
        }
    }

    /// Takes the next difference between what watchers have and `state`; nil when there is none.
    ///
    /// - Parameter onlyUrgent: leaves those for later that are not of an endpoint which a person added or used.
    mutating func next(in state: RegistryState, onlyUrgent: Bool = false) -> RegistryChange? {
        while let id = urgent.pop() ?? (onlyUrgent ? nil : others.pop()) {
            guard let sent = lastSent.removeValue(forKey: id) else { continue }
            switch (sent, state.endpoint(id)) {
            case (nil, let new?): return .added(new)
            case (let old?, nil): return .removed(old)
            case (let old?, let new?) where old != new: return .changed(new)
            default: continue
            }
        }
        return nil
    }

    /// The list as watchers have it.
    func sentEndpoints(in state: RegistryState) -> [Endpoint] {
        guard !isEmpty else { return state.endpoints }
        return RegistryState.sorted(state.endpoints { !contains($0) } + lastSent.values.compactMap { $0 })
    }

    /// One endpoint as watchers have it.
    func sentEndpoint(_ id: EndpointID, in state: RegistryState) -> Endpoint? {
        lastSent[id] ?? state.endpoint(id)
    }

    /// Forgets all but how many were folded.
    mutating func removeAll() {
        let folded = folded
        self = PendingChanges()
        self.folded = folded
    }
}
