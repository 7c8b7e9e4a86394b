// SPDX-License-Identifier: Apache-2.0

/// The current sightings of a source that reads a complete list each time.
package struct SightingSet: Sendable {
    /// The current sightings by key.
    package private(set) var sightings: [Sighting.Key: Sighting] = [:]

    /// An empty set.
    package init() {}

    /// Replaces the list.
    ///
    /// - Returns: events for removed sightings, then for new and changed ones. Of two sightings with one key the
    ///   first counts.
    package mutating func replace(with list: [Sighting]) -> [SightingEvent] {
        let new = Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
        let gone = sightings.keys.filter { new[$0] == nil }.map { SightingEvent.vanished($0) }
        let fresh = new.values.filter { sightings[$0.key] != $0 }.map { SightingEvent.sighted($0) }
        sightings = new
        return gone + fresh
    }

    /// Events for all sightings, for a reader that has marked them stale or had no capacity for them.
    package var retelling: [SightingEvent] { sightings.values.map { .sighted($0) } }
}
