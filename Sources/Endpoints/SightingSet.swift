// SPDX-License-Identifier: Apache-2.0

/// What a source has told and not taken back, for sources that learn a whole list at a time.
package struct SightingSet: Sendable {
    package private(set) var sightings: [Sighting.Key: Sighting] = [:]

    package init() {}

    /// Takes a new list for the old one.
    ///
    /// - Returns: what has gone, then what is new or has other facts. Of two sightings with one key the first counts.
    package mutating func replace(with list: [Sighting]) -> [SightingEvent] {
        let new = Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
        let gone = sightings.keys.filter { new[$0] == nil }.map { SightingEvent.vanished($0) }
        let fresh = new.values.filter { sightings[$0.key] != $0 }.map { SightingEvent.sighted($0) }
        sightings = new
        return gone + fresh
    }

    /// Everything once more, for a reader that has marked it stale or had no room for it.
    package var retelling: [SightingEvent] { sightings.values.map { .sighted($0) } }
}
