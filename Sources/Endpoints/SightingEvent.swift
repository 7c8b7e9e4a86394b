// SPDX-License-Identifier: Apache-2.0

/// What a source of sightings says over time.
package enum SightingEvent: Sendable, Hashable, Codable {
    /// Resolved for the first time under its key, or resolved anew with other facts.
    case sighted(Sighting)
    case vanished(Sighting.Key)
    /// The source can no longer see whether it is there, for example because its interface is down: it is stale until it
    /// is sighted, vanishes, or the source settles anew.
    case lost(Sighting.Key)
    /// The source has said all it knew when it came up. What was sighted before `down` and not since has gone.
    case settled
    case source(SourceState)
}

/// Whether a source of sightings works. After `down` its earlier sightings are stale until it is `up` and settled again.
package enum SourceState: Sendable, Hashable, Codable {
    case up
    case down(SourceFault)
}
