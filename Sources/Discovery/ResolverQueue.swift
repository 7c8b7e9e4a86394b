// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Instances that wait for their resolver. Each resolver takes a blocking call to avahi-daemon. If all were made
/// immediately, a flood of new services would delay the changes of known ones.
struct ResolverQueue {
    /// The number of loop rounds with reports after which one resolver is made anyway.
    private static let patience = 32

    private var waiting: Set<Sighting.Key> = []
    private var urgent = Lane<Sighting.Key>()
    private var others = Lane<Sighting.Key>()
    /// Whether Avahi has reported something since the last round.
    private var isBusy = false
    private var rounds = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ key: Sighting.Key) {
        if waiting.insert(key).inserted { others.append(key) }
    }

    mutating func remove(_ key: Sighting.Key) { waiting.remove(key) }

    /// Moves an instance to the front, if it is in the queue.
    mutating func hurry(_ key: Sighting.Key) {
        if waiting.contains(key) { urgent.append(key) }
    }

    /// Records that Avahi has reported something, so that more reports may follow.
    mutating func reported() { isBusy = true }

    /// Call once in each round of Avahi's loop while the queue is not empty.
    ///
    /// - Returns: the next instance; nil if Avahi's reports must be handled first.
    mutating func next() -> Sighting.Key? {
        defer { isBusy = false }
        rounds += 1
        guard !isBusy || rounds >= Self.patience else { return nil }
        rounds = 0
        while let key = urgent.pop() ?? others.pop() {
            guard waiting.remove(key) != nil else { continue }
            // Reset, because an empty queue would keep the capacity of its largest size.
            if waiting.isEmpty { self = ResolverQueue() }
            return key
        }
        return nil
    }
}
