// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Changes that one call made to a `RegistryState`.
struct StateChanges: Sendable {
    /// Recorded step, in the order in which it was made.
    enum Step: Sendable, Hashable {
        /// An endpoint changes. `before` is what it was, nil for one that did not exist.
        case changed(EndpointID, before: Endpoint?, isKept: Bool)
        /// A person has added or used an endpoint: it goes before others.
        case expedited(EndpointID)
    }

    /// Each endpoint changes once here; empty while changes are not recorded.
    private(set) var steps: [Step] = []
    /// Changes that became one with an earlier one.
    private(set) var folded: UInt64 = 0
    /// Changes that were not recorded.
    private(set) var unrecorded: UInt64 = 0
    /// Endpoints that are or were kept: they may have to be probed in another way than before.
    private(set) var staleTargets: Set<EndpointID> = []
    /// The user's part of the list changed, and no caller waits until it is saved.
    private(set) var isUnsaved = false
    /// There is room again for sightings that were dropped.
    var endsShortage = false

    private var changed: Set<EndpointID> = []

    /// Counts a change.
    ///
    /// - Parameter pending: earlier changes that wait; nil while changes are only counted.
    /// - Returns: whether it has to be recorded: it folds into none of `pending` and none of these.
    mutating func count(_ id: EndpointID, beside pending: PendingChanges?) -> Bool {
        guard let isPending = pending?.contains(id) else {
            unrecorded += 1
            return false
        }
        guard !isPending, changed.insert(id).inserted else {
            folded += 1
            return false
        }
        return true
    }

    /// Records a change that `count` returned true for.
    mutating func record(_ id: EndpointID, before: Endpoint?, isKept: Bool) {
        steps.append(.changed(id, before: before, isKept: isKept))
    }

    mutating func expedite(_ id: EndpointID) { steps.append(.expedited(id)) }

    mutating func noteStaleTarget(_ id: EndpointID) { staleTargets.insert(id) }

    mutating func noteUnsaved() { isUnsaved = true }
}
