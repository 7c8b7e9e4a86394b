// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import Platform

/// Instances that wait for their resolver. Each takes a call to avahi-daemon that blocks: made at once, a flood of new
/// services would keep what changes about known ones waiting behind it.
struct ResolverQueue {
    /// Rounds of Avahi's loop that may bring reports before one resolver is made all the same.
    private static let patience = 32

    private var waiting: Set<Sighting.Key> = []
    private var urgent = Lane<Sighting.Key>()
    private var others = Lane<Sighting.Key>()
    /// Avahi has reported something since the last round.
    private var isBusy = false
    private var rounds = 0

    var isEmpty: Bool { waiting.isEmpty }

    mutating func append(_ key: Sighting.Key) {
        if waiting.insert(key).inserted { others.append(key) }
    }

    mutating func remove(_ key: Sighting.Key) { waiting.remove(key) }

    /// Has one go before the others, if it waits.
    mutating func hurry(_ key: Sighting.Key) {
        if waiting.contains(key) { urgent.append(key) }
    }

    /// Avahi has reported something, and may have more to say.
    mutating func reported() { isBusy = true }

    /// To be called once in each round of Avahi's loop while it is not empty.
    ///
    /// - Returns: the one whose turn it is, unless Avahi is to be heard first.
    mutating func next() -> Sighting.Key? {
        defer { isBusy = false }
        rounds += 1
        guard !isBusy || rounds >= Self.patience else { return nil }
        rounds = 0
        while let key = urgent.pop() ?? others.pop() {
            guard waiting.remove(key) != nil else { continue }
            // Emptied, it would stay as large as it ever was.
            if waiting.isEmpty { self = ResolverQueue() }
            return key
        }
        return nil
    }
}
